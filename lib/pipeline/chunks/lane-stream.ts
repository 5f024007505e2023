import { Observable, type Unsubscribable } from 'rxjs';
import type { Abort } from '../../events/decisions/decision.ts';
import type { ChunkEvent } from '../../events/hook-event.ts';
import type { OnStage, ThroughStage } from '../define/plan.ts';
import { Link, type Sink } from '../flow/link.ts';
import type { Cancellable } from '../run/lifetime.ts';
import type { RunScope } from '../run/run-scope.ts';
import { StepFailure } from '../run/step-failure.ts';
import type { StepScope } from '../run/step-scope.ts';
import { createLane, type Lane } from './lane.ts';
import type { LaneListener } from './lane-host.ts';
import { announceChunk, stampChunk } from './settle-chunk.ts';

/** Where it is gathered what a stream comes to. */
export interface Gathering<C extends ChunkEvent> {
  stopped: boolean;
  aborted: Abort | undefined;
  left(chunk: C): void;
}

/** What a step may do to the stream that it feeds. */
export interface Feeding<C extends ChunkEvent, Item> {
  /** What takes the raw items; another one for each attempt. */
  taker: Taker<Item> | undefined;
  readonly lane: Lane<C>;
  /** Whether nothing of the source is wanted any more. */
  readonly over: boolean;
  fail(failure: StepFailure): void;
  /** Ends the stream without flushing. */
  leave(): void;
}

/** Makes of each raw item what goes into the lane. */
export interface Taker<Item> {
  take(item: Item): void;
}

/** The source of a stream: raw items, and who is to blame for an error. */
export interface Feeder<Item> {
  start(): Observable<Item>;
  failureOf(thrown: unknown): StepFailure;
}

/**
 * Sends the raw items of a step through its chunk lane. The chunks that leave are settled and shown to the step's consumer. The
 * Observable itself only ends: with a `StepFailure`, or when everything has left; early, without flushing, on abort and cancel.
 */
export function streamThroughLane<C extends ChunkEvent, Item>(
  step: StepScope,
  stages: readonly (OnStage | ThroughStage)[],
  gathering: Gathering<C>,
  feed: (feeding: Feeding<C, Item>) => Feeder<Item>,
): Observable<never> {
  return new Observable<never>((subscriber) => {
    const stream = new LaneStream<C, Item>(step, stages, gathering, subscriber);
    const feeder = feed(stream);
    stream.feeder = feeder;
    subscriber.add(stream);
    stream.listen();
    if (!stream.over) feeder.start().subscribe(stream);
  });
}

/** Stands between the source of a step and its lane: takes what comes raw, and what leaves. One object, for its weight. */
class LaneStream<C extends ChunkEvent, Item>
  extends Link<Item>
  implements Feeding<C, Item>, LaneListener<C>, Cancellable
{
  // What every chunk needs stands together.
  taker: Taker<Item> | undefined = undefined;
  readonly #scope: RunScope;
  readonly #gathering: Gathering<C>;
  readonly #consumer: StepScope['consumer'];
  readonly lane: Lane<C>;
  feeder: Feeder<Item> | undefined = undefined;
  over = false;
  readonly #subscriber: Sink<never>;
  #registration: Unsubscribable | undefined = undefined;

  constructor(
    step: StepScope,
    stages: readonly (OnStage | ThroughStage)[],
    gathering: Gathering<C>,
    subscriber: Sink<never>,
  ) {
    super();
    this.#scope = step.scope;
    this.#consumer = step.consumer;
    this.#gathering = gathering;
    this.#subscriber = subscriber;
    this.lane = createLane<C>(step, stages, this);
  }

  protected override onNext(item: Item): void {
    try {
      this.taker?.take(item);
    } catch (thrown) {
      this.fail(new StepFailure(this.lane.step.phase === 'acting' ? 'tool' : 'model', thrown));
    }
  }

  protected override onError(thrown: unknown): void {
    if (!this.over && this.feeder) this.fail(this.feeder.failureOf(thrown));
  }

  protected override onComplete(): void {
    if (!this.over) this.lane.end();
    super.unsubscribe();
  }

  left(chunk: C, template: C): void {
    const settled = stampChunk(this.#scope, chunk, template);
    // Before anybody else gets hold of it.
    this.#gathering.left(settled);
    this.lane.step.shown = settled.attempt;
    announceChunk(this.#scope, chunk, settled, this.#consumer);
  }

  finished(): void {
    this.#gathering.stopped = true;
    this.halt();
  }

  aborted(chunk: C, template: C): void {
    this.unsubscribe();
    const settled = stampChunk(this.#scope, chunk, template);
    if (settled.decision?.action === 'abort') this.#gathering.aborted = settled.decision;
    announceChunk(this.#scope, chunk, settled, this.#consumer);
    this.#subscriber.complete();
  }

  failed(failure: StepFailure): void {
    this.fail(failure);
  }

  fail(failure: StepFailure): void {
    this.unsubscribe();
    this.#subscriber.error(failure);
  }

  drained(): void {
    this.#subscriber.complete();
  }

  leave(): void {
    this.unsubscribe();
    this.#subscriber.complete();
  }

  /** From now on a cancel of the step is the end. */
  listen(): void {
    this.#registration = this.lane.step.lifetime.onCancel(this);
  }

  cancel(): void {
    this.leave();
  }

  /** Nobody listens any more. What is on its way when the source has ended is let go of too. */
  override unsubscribe(): void {
    this.#registration?.unsubscribe();
    this.halt();
    this.lane.close();
  }

  /** Lets go of the source, not of what is on its way. */
  private halt(): void {
    this.over = true;
    super.unsubscribe();
  }
}

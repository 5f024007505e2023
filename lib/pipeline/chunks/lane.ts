import { Observable, type Subscriber, type Unsubscribable } from 'rxjs';
import { HooklineError } from '../../errors.ts';
import type { Abort } from '../../events/decisions/decision.ts';
import type { ChunkEvent } from '../../events/hook-event.ts';
import type { Fifo } from '../../events/values/fifo.ts';
import type { OnStage, ThroughStage } from '../define/plan.ts';
import type { Cancellable } from '../flow/lifetime.ts';
import { LoggingSubscriber } from '../flow/logging-subscriber.ts';
import { StepFailure } from '../run/step-failure.ts';
import type { StepScope } from '../run/step-scope.ts';
import { announceChunk, stampChunk } from './chunk.ts';

/** The combined chunks of a step: a message or a result. */
export interface Gathered<C extends ChunkEvent> {
  /** A stage returned finish. */
  stopped: boolean;
  aborted: Abort | undefined;
  left(chunk: C): void;
}

/** The source of the raw items of a step. */
export interface LaneSource<Item> {
  start(): Observable<Item>;
  /** Adds a raw item to the lane. */
  take(item: Item): void;
  /** Attributes an error of the source. */
  failureOf(thrown: unknown): StepFailure;
}

/** An open block of the lane. */
interface Open {
  end(): void;
  discard(): void;
}

/**
 * Sends the raw items of a step through its chunk stages. Emits the settled chunks to the step's consumer. The Observable itself only ends: with a
 * `StepFailure`, or when all chunks have left. On abort and cancel it ends early, without flushing.
 */
export function streamThroughLane<C extends ChunkEvent, Item>(
  step: StepScope,
  plan: readonly (OnStage | ThroughStage)[],
  gathered: Gathered<C>,
  sourceFor: (lane: Lane<C>) => LaneSource<Item>,
): Observable<never> {
  return new Observable<never>((subscriber) => {
    const lane = new Lane<C>(step, plan, gathered, subscriber);
    lane.feed(sourceFor(lane) as LaneSource<unknown>);
  });
}

/** The chunk stages of one step: its open blocks, the chunks in flight and the source. A class to save memory, like its blocks. */
export class Lane<C extends ChunkEvent> extends LoggingSubscriber<unknown> implements Cancellable {
  // The fields used for every chunk come first, for speed.
  #source: LaneSource<unknown> | undefined = undefined;
  readonly step: StepScope;
  readonly plan: readonly (OnStage | ThroughStage)[];
  readonly #gathered: Gathered<C>;
  readonly #consumer: StepScope['consumer'];
  /** Whether the source is pushed, so that its buffer must be bounded. The default until the source is known. */
  pushed = true;
  /** Whether the source is no longer needed. */
  over = false;
  readonly #subscriber: Subscriber<never>;
  #registration: Unsubscribable | undefined = undefined;
  /** The open blocks in order, usually one. */
  #open: readonly Open[] = [];
  #inFlight = 0;
  #dropped = 0;
  #ended = false;
  /** No block opens after a finish or after the end. */
  #shut = false;
  #waiting: (() => void)[] | undefined = undefined;

  constructor(
    step: StepScope,
    plan: readonly (OnStage | ThroughStage)[],
    gathered: Gathered<C>,
    subscriber: Subscriber<never>,
  ) {
    super(step.scope.log);
    this.step = step;
    this.plan = plan;
    this.#consumer = step.consumer;
    this.#gathered = gathered;
    this.#subscriber = subscriber;
  }

  /** Starts the source. From now on, a cancel of the step ends the stream. */
  feed(source: LaneSource<unknown>): void {
    this.#source = source;
    this.#subscriber.add(this);
    this.#registration = this.step.lifetime.onCancel(this);
    if (!this.over) this.listenTo(source.start());
  }

  protected override _next(item: unknown): void {
    try {
      this.#source?.take(item);
    } catch (thrown) {
      this.fail(new StepFailure(this.step.phase === 'acting' ? 'tool' : 'model', thrown));
    }
  }

  protected override _error(thrown: unknown): void {
    if (!this.over && this.#source) this.fail(this.#source.failureOf(thrown));
  }

  /** The source completed: ends every open block, and the stream when all chunks have left. */
  protected override _complete(): void {
    if (!this.over) {
      this.#ended = true;
      for (const block of this.#open) block.end();
      if (this.#inFlight === 0) this.settleDown();
    }
    super.unsubscribe();
  }

  /** Adds an open block. Returns `false` if the lane is closed. */
  opened(block: Open): boolean {
    if (this.#shut) return false;
    this.#open = [...this.#open, block];
    return true;
  }

  /** Called when the last chunk of `block` has left. */
  blockClosed(block: Open): void {
    this.#open = this.#open.filter((one) => one !== block);
    if (this.#inFlight === 0) this.settleDown();
  }

  /** Adds one to the chunks in flight; `release` subtracts. */
  hold(): void {
    this.#inFlight += 1;
  }

  release(count = 1): void {
    this.#inFlight -= count;
    if (this.#inFlight === 0) this.settleDown();
  }

  /** Returns whether `inbox` accepts a chunk. Drops a chunk or fails, according to the overflow policy. */
  admit(inbox: Fifo<C>): boolean {
    const { bufferChunks, overflow } = this.step.scope.settings;
    if (this.#inFlight < bufferChunks || !this.pushed) return true;
    if (overflow === 'error') {
      this.fail(overflowFailure(this.step, bufferChunks));
      return false;
    }
    this.#dropped += 1;
    if (this.#dropped === 1)
      this.step.scope.log.warn({ overflow, bufferChunks }, 'chunks are dropped: their source is faster than the hooks');
    if (overflow === 'dropNewest' || inbox.length === 0) return false;
    inbox.shift();
    this.#inFlight -= 1;
    return true;
  }

  /** Calls back when no chunk is queued or in flight, possibly at once. */
  whenIdle(callback: () => void): void {
    if (this.#inFlight === 0) callback();
    else {
      this.#waiting ??= [];
      this.#waiting.push(callback);
    }
  }

  /** Settles a chunk that has left the last stage. */
  left(chunk: C, template: C): void {
    const settled = stampChunk(this.step.scope, chunk, template);
    // Before a consumer or an observer gets the chunk.
    this.#gathered.left(settled);
    this.step.shown = settled.attempt;
    announceChunk(this.step.scope, chunk, settled, this.#consumer);
  }

  /** A stage of `block` returned finish: cancels the source. Chunks in flight are still processed. */
  finish(block: Open): void {
    this.#shut = true;
    this.#gathered.stopped = true;
    this.halt();
    this.#ended = true;
    for (const other of this.#open) if (other !== block) other.end();
  }

  /** A stage returned abort: emits only this emptied chunk. */
  aborted(chunk: C, template: C): void {
    this.unsubscribe();
    const settled = stampChunk(this.step.scope, chunk, template);
    if (settled.decision?.action === 'abort') this.#gathered.aborted = settled.decision;
    announceChunk(this.step.scope, chunk, settled, this.#consumer);
    this.#subscriber.complete();
  }

  fail(failure: StepFailure): void {
    this.unsubscribe();
    this.#subscriber.error(failure);
  }

  /** Ends the stream without flushing. */
  cancel(): void {
    this.unsubscribe();
    this.#subscriber.complete();
  }

  /** Discards all blocks without flushing, before a new attempt. */
  discard(): void {
    this.#ended = false;
    for (const block of this.#open) block.discard();
    this.#open = [];
    // The waiting callbacks may belong to an attempt that still runs.
    if (this.#inFlight === 0) this.settleDown();
  }

  /** The consumer unsubscribed. Chunks in flight are discarded, also after the source has ended. */
  override unsubscribe(): void {
    this.#registration?.unsubscribe();
    this.halt();
    this.#shut = true;
    this.#waiting = undefined;
    this.discard();
  }

  /** Cancels the source, but not the chunks in flight. */
  private halt(): void {
    this.over = true;
    super.unsubscribe();
  }

  private settleDown(): void {
    const callbacks = this.#waiting;
    this.#waiting = undefined;
    for (const callback of callbacks ?? []) callback();
    if (this.#ended && this.#open.length === 0 && this.#inFlight === 0) {
      this.#ended = false;
      this.#subscriber.complete();
    }
  }
}

function overflowFailure({ phase }: StepScope, bound: number): StepFailure {
  const source = phase === 'acting' ? 'tool' : 'model';
  const hint = `${phase === 'acting' ? 'await emit(), or ' : ''}return an async iterable`;
  const message = `The ${source} is ${bound} chunks ahead of the hooks. Let it be slowed down (${hint}), or set buffer.overflow to a drop policy.`;
  return new StepFailure(source, new HooklineError('BUFFER_OVERFLOW', message));
}

import { Observable, type Subscriber, type Unsubscribable } from 'rxjs';
import { HooklineError } from '../../errors.ts';
import type { Abort } from '../../events/decisions/decision.ts';
import type { ChunkEvent } from '../../events/hook-event.ts';
import type { OnStage, ThroughStage } from '../define/plan.ts';
import type { Fifo } from '../flow/fifo.ts';
import type { Cancellable } from '../flow/lifetime.ts';
import { LoggingSubscriber } from '../flow/logging-subscriber.ts';
import { StepFailure } from '../run/step-failure.ts';
import type { StepScope } from '../run/step-scope.ts';
import { announceChunk, stampChunk } from './chunk.ts';

/** What the chunks of a step come to: a message, a result. */
export interface Gathered<C extends ChunkEvent> {
  /** A stage said finish. */
  stopped: boolean;
  aborted: Abort | undefined;
  left(chunk: C): void;
}

/** Where the raw items of a step come from. */
export interface LaneSource<Item> {
  start(): Observable<Item>;
  /** Puts a raw item into the lane. */
  take(item: Item): void;
  /** Who is to blame for an error of the source. */
  failureOf(thrown: unknown): StepFailure;
}

/** A block of the lane that has not ended. */
interface Open {
  end(): void;
  discard(): void;
}

/**
 * Sends the raw items of a step through its chunk stages. The chunks that leave are settled and shown to the step's consumer. The
 * Observable itself only ends: with a `StepFailure`, or when everything has left; early, without flushing, on abort and cancel.
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

/**
 * The chunk stages of one step: the blocks that are open, what is still on its way in them, and the source that feeds them. A class for
 * its weight, as the blocks are.
 */
export class Lane<C extends ChunkEvent> extends LoggingSubscriber<unknown> implements Cancellable {
  // What every chunk needs stands together.
  #source: LaneSource<unknown> | undefined = undefined;
  readonly step: StepScope;
  readonly plan: readonly (OnStage | ThroughStage)[];
  readonly #gathered: Gathered<C>;
  readonly #consumer: StepScope['consumer'];
  /** Whether the source does not wait, so that what it may be ahead must be bounded; as long as nobody says otherwise it is. */
  pushed = true;
  /** Whether nothing of the source is wanted any more. */
  over = false;
  readonly #subscriber: Subscriber<never>;
  #registration: Unsubscribable | undefined = undefined;
  /** The blocks that have not ended, in order: nearly always one. */
  #open: readonly Open[] = [];
  #inFlight = 0;
  #dropped = 0;
  #ended = false;
  /** No block is opened once a stage has said finish, or when all is over. */
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

  /** Starts the source. From now on a cancel of the step is the end. */
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

  /** The source has ended: so does every open block, and the stream when all has left. */
  protected override _complete(): void {
    if (!this.over) {
      this.#ended = true;
      for (const block of this.#open) block.end();
      if (this.#inFlight === 0) this.settleDown();
    }
    super.unsubscribe();
  }

  /** A block has been opened; `false` where nothing of it is wanted. */
  opened(block: Open): boolean {
    if (this.#shut) return false;
    this.#open = [...this.#open, block];
    return true;
  }

  /** The last chunk of `block` has left. */
  blockClosed(block: Open): void {
    this.#open = this.#open.filter((one) => one !== block);
    if (this.#inFlight === 0) this.settleDown();
  }

  /** Counts something as in flight; `release` takes it back. */
  hold(): void {
    this.#inFlight += 1;
  }

  release(count = 1): void {
    this.#inFlight -= count;
    if (this.#inFlight === 0) this.settleDown();
  }

  /** Whether a chunk may be queued in `inbox`; makes room or fails as the overflow policy says. */
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

  /** Calls back when nothing is queued or in flight; at once if that is so now. */
  whenIdle(callback: () => void): void {
    if (this.#inFlight === 0) callback();
    else {
      this.#waiting ??= [];
      this.#waiting.push(callback);
    }
  }

  /** A chunk of the block with this template has left the last stage. */
  left(chunk: C, template: C): void {
    const settled = stampChunk(this.step.scope, chunk, template);
    // Before anybody else gets hold of it.
    this.#gathered.left(settled);
    this.step.shown = settled.attempt;
    announceChunk(this.step.scope, chunk, settled, this.#consumer);
  }

  /** A stage of `block` said finish: the source is no longer wanted. What is in flight still comes. */
  finish(block: Open): void {
    this.#shut = true;
    this.#gathered.stopped = true;
    this.halt();
    this.#ended = true;
    for (const other of this.#open) if (other !== block) other.end();
  }

  /** A stage said abort; nothing more leaves but this chunk, which has been emptied. */
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

  /** Forgets all blocks without flushing them: a new attempt begins. */
  discard(): void {
    this.#ended = false;
    for (const block of this.#open) block.discard();
    this.#open = [];
    // Whoever waits to go on may belong to an attempt that still runs.
    if (this.#inFlight === 0) this.settleDown();
  }

  /** Nobody listens any more. What is on its way when the source has ended is let go of too. */
  override unsubscribe(): void {
    this.#registration?.unsubscribe();
    this.halt();
    this.#shut = true;
    this.#waiting = undefined;
    this.discard();
  }

  /** Lets go of the source, not of what is on its way. */
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

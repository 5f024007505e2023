import { HooklineError } from '../../errors.ts';
import type { ChunkEvent } from '../../events/hook-event.ts';
import type { OnStage, ThroughStage } from '../define/plan.ts';
import type { Fifo } from '../flow/fifo.ts';
import { StepFailure } from '../run/step-failure.ts';
import type { StepScope } from '../run/step-scope.ts';
import { createBlockLane } from './block-lane.ts';
import type { BlockLane, LaneHost, LaneListener } from './lane-host.ts';

/** The chunk stages of one step: all its blocks, and what is still on its way in them. */
export interface Lane<C extends ChunkEvent> {
  readonly step: StepScope;
  /** Whether the source does not wait, so that what it may be ahead must be bounded; as long as nobody says otherwise it is. */
  pushed: boolean;
  /** Begins a block; `template` has all members of its chunks but the content. */
  open(template: C): BlockLane<C>;
  /** The source has ended: ends every open block, then `drained`. */
  end(): void;
  /** Forgets all blocks without flushing them: a new attempt begins. */
  discard(): void;
  /** Forgets everything for good; what is opened or pushed from now on goes nowhere. */
  close(): void;
  /** Calls back when nothing is queued or in flight; at once if that is so now. */
  whenIdle(callback: () => void): void;
}

/** Makes the lane of a step. */
export function createLane<C extends ChunkEvent>(
  step: StepScope,
  stages: readonly (OnStage | ThroughStage)[],
  listener: LaneListener<C>,
): Lane<C> {
  return new StepLane(step, stages, listener);
}

/** A class for its weight, as the blocks are. */
class StepLane<C extends ChunkEvent> implements Lane<C>, LaneHost<C> {
  readonly step: StepScope;
  readonly stages: readonly (OnStage | ThroughStage)[];
  readonly listener: LaneListener<C>;
  pushed = true;
  /** The block that has been open longest; nearly always there is no other. */
  #block: BlockLane<C> | undefined = undefined;
  #others: Set<BlockLane<C>> | undefined = undefined;
  #inFlight = 0;
  #dropped = 0;
  #ended = false;
  /** No block is opened once a stage has said finish, or when all is over. */
  #shut = false;
  #waiting: (() => void)[] | undefined = undefined;

  constructor(step: StepScope, stages: readonly (OnStage | ThroughStage)[], listener: LaneListener<C>) {
    this.step = step;
    this.stages = stages;
    this.listener = listener;
  }

  hold(): void {
    this.#inFlight += 1;
  }

  release(count = 1): void {
    this.#inFlight -= count;
    if (this.#inFlight === 0) this.settleDown();
  }

  admit(inbox: Fifo<C>): boolean {
    const { bufferChunks, overflow } = this.step.scope.settings;
    if (this.#inFlight < bufferChunks || !this.pushed) return true;
    if (overflow === 'error') {
      this.listener.failed(overflowFailure(this.step, bufferChunks));
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

  finish(block: BlockLane<C>): void {
    this.#shut = true;
    this.listener.finished();
    this.#ended = true;
    for (const other of this.blocks()) if (other !== block) other.end();
  }

  blockClosed(block: BlockLane<C>): void {
    if (this.#block === block) this.#block = undefined;
    else this.#others?.delete(block);
    if (this.#inFlight === 0) this.settleDown();
  }

  open(template: C): BlockLane<C> {
    if (this.#shut) return nowhere;
    const block = createBlockLane(this, template);
    if (!this.#block && !this.#others?.size) this.#block = block;
    else {
      this.#others ??= new Set();
      this.#others.add(block);
    }
    return block;
  }

  end(): void {
    this.#ended = true;
    for (const block of this.blocks()) block.end();
    if (this.#inFlight === 0) this.settleDown();
  }

  discard(): void {
    this.#ended = false;
    for (const block of this.blocks()) block.discard();
    this.#block = undefined;
    this.#others = undefined;
    // Whoever waits to go on may belong to an attempt that still runs.
    if (this.#inFlight === 0) this.settleDown();
  }

  close(): void {
    this.#shut = true;
    this.#waiting = undefined;
    this.discard();
  }

  whenIdle(callback: () => void): void {
    if (this.#inFlight === 0) callback();
    else {
      this.#waiting ??= [];
      this.#waiting.push(callback);
    }
  }

  /** Those that are open, in order. */
  private blocks(): BlockLane<C>[] {
    return [...(this.#block ? [this.#block] : []), ...(this.#others ?? [])];
  }

  private settleDown(): void {
    const callbacks = this.#waiting;
    this.#waiting = undefined;
    for (const callback of callbacks ?? []) callback();
    if (this.#ended && !this.#block && !this.#others?.size && this.#inFlight === 0) {
      this.#ended = false;
      this.listener.drained();
    }
  }
}

const nowhere: BlockLane<never> = { template: undefined, add() {}, push() {}, end() {}, discard() {} };

function overflowFailure(step: StepScope, bound: number): StepFailure {
  const [source, hint] =
    step.phase === 'acting'
      ? (['tool', 'await emit(), or return an async iterable'] as const)
      : (['model', 'return an async iterable'] as const);
  const message = `The ${source} is ${bound} chunks ahead of the hooks. Let it be slowed down (${hint}), or set buffer.overflow to a drop policy.`;
  return new StepFailure(source, new HooklineError('BUFFER_OVERFLOW', message));
}

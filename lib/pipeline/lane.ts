import { HooklineError } from '../errors.ts';
import type { ChunkEvent } from '../events/hook-event.ts';
import { type BlockLane, createBlockLane } from './block-lane.ts';
import type { OnStage, ThroughStage } from './plan.ts';
import { StepFailure } from './step-failure.ts';
import type { StepScope } from './step-scope.ts';

/** What a lane tells the step that feeds it. */
export interface LaneListener<C extends ChunkEvent> {
  /** A chunk has left the last stage. */
  left(chunk: C): void;
  /** A stage said finish: the source is no longer wanted. What is in flight still comes. */
  finished(): void;
  /** A stage said abort; nothing more leaves. The chunk has been emptied. */
  aborted(chunk: C): void;
  failed(failure: StepFailure): void;
  /** The source has ended, or is no longer wanted, and everything that will leave has left. */
  drained(): void;
}

/** What a block shares with the lane that it is part of. */
export interface LaneHost<C extends ChunkEvent> extends LaneListener<C> {
  readonly step: StepScope;
  readonly stages: readonly (OnStage | ThroughStage)[];
  /** Counts something as in flight; `release` takes it back. */
  hold(): void;
  release(count?: number): void;
  /** Whether a chunk may be queued in `inbox`; makes room or fails as the overflow policy says. */
  admit(inbox: C[]): boolean;
  /** A stage of `block` said finish. */
  finish(block: BlockLane<C>): void;
  /** The last chunk of `block` has left. */
  closed(block: BlockLane<C>): void;
}

/** The chunk stages of one step: all its blocks, and what is still on its way in them. */
export interface Lane<C extends ChunkEvent> {
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

/** Makes the lane of a step. `pushed` says whether its source does not wait, so that what it may be ahead must be bounded. */
export function createLane<C extends ChunkEvent>(
  step: StepScope,
  stages: readonly (OnStage | ThroughStage)[],
  pushed: () => boolean,
  listener: LaneListener<C>,
): Lane<C> {
  const { bufferChunks, overflow } = step.scope.settings;
  const blocks = new Set<BlockLane<C>>();
  let inFlight = 0;
  let dropped = 0;
  let ended = false;
  let closed = false;
  let waiting: (() => void)[] = [];

  const host: LaneHost<C> = {
    step,
    stages,
    hold: () => {
      inFlight += 1;
    },
    release(count = 1) {
      inFlight -= count;
      if (inFlight === 0) settleDown();
    },
    admit(inbox) {
      if (inFlight < bufferChunks || !pushed()) return true;
      if (overflow === 'error') {
        host.failed(overflowFailure(step, bufferChunks));
        return false;
      }
      dropped += 1;
      if (dropped === 1)
        step.scope.log.warn({ overflow, bufferChunks }, 'chunks are dropped: their source is faster than the hooks');
      if (overflow === 'dropNewest' || inbox.length === 0) return false;
      inbox.shift();
      inFlight -= 1;
      return true;
    },
    finish(block) {
      listener.finished();
      ended = true;
      for (const other of [...blocks]) if (other !== block) other.end();
    },
    closed(block) {
      blocks.delete(block);
      if (inFlight === 0) settleDown();
    },
    ...listener,
  };

  function settleDown(): void {
    const callbacks = waiting;
    waiting = [];
    for (const callback of callbacks) callback();
    if (ended && blocks.size === 0 && inFlight === 0) {
      ended = false;
      listener.drained();
    }
  }

  const lane: Lane<C> = {
    open(template) {
      if (closed) return nowhere;
      const block = createBlockLane(host, template);
      blocks.add(block);
      return block;
    },
    end() {
      ended = true;
      for (const block of [...blocks]) block.end();
      if (inFlight === 0) settleDown();
    },
    discard() {
      ended = false;
      for (const block of [...blocks]) block.discard();
      blocks.clear();
      // Whoever waits to go on may belong to an attempt that still runs.
      if (inFlight === 0) settleDown();
    },
    close() {
      closed = true;
      waiting = [];
      lane.discard();
    },
    whenIdle(callback) {
      if (inFlight === 0) callback();
      else waiting.push(callback);
    },
  };
  return lane;
}

const nowhere: BlockLane<ChunkEvent> = { push() {}, end() {}, discard() {} };

function overflowFailure(step: StepScope, bound: number): StepFailure {
  const [source, hint] =
    step.phase === 'acting'
      ? (['tool', 'await emit(), or return an async iterable'] as const)
      : (['model', 'return an async iterable'] as const);
  const message = `The ${source} is ${bound} chunks ahead of the hooks. Let it be slowed down (${hint}), or set buffer.overflow to a drop policy.`;
  return new StepFailure(source, new HooklineError('BUFFER_OVERFLOW', message));
}

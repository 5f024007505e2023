import type { ChunkEvent } from '../../events/hook-event.ts';
import type { OnStage, ThroughStage } from '../define/plan.ts';
import type { Fifo } from '../flow/fifo.ts';
import type { StepFailure } from '../run/step-failure.ts';
import type { StepScope } from '../run/step-scope.ts';

/** The chunk stages of one block, each in its own state. Order is kept whatever a stage does. */
export interface BlockLane<C extends ChunkEvent> {
  /** What all its chunks have in common; nothing in a block that goes nowhere. */
  readonly template: C | undefined;
  /** The next text of the block. */
  add(text: string): void;
  /** An event of the marble kit: the same as a chunk, with whatever is on it. */
  push(chunk: C): void;
  /** No more chunks: flushes stage after stage, then lets out one empty chunk with `last: true`. */
  end(): void;
  /** Lets go of everything without flushing. */
  discard(): void;
}

/** What a lane tells the step that feeds it. */
export interface LaneListener<C extends ChunkEvent> {
  /** A chunk of the block with this template has left the last stage. */
  left(chunk: C, template: C): void;
  /** A stage said finish: the source is no longer wanted. What is in flight still comes. */
  finished(): void;
  /** A stage said abort; nothing more leaves. The chunk has been emptied. */
  aborted(chunk: C, template: C): void;
  failed(failure: StepFailure): void;
  /** The source has ended, or is no longer wanted, and everything that will leave has left. */
  drained(): void;
}

/** What a block shares with the lane that it is part of. */
export interface LaneHost<C extends ChunkEvent> {
  readonly step: StepScope;
  readonly stages: readonly (OnStage | ThroughStage)[];
  readonly listener: LaneListener<C>;
  /** Counts something as in flight; `release` takes it back. */
  hold(): void;
  release(count?: number): void;
  /** Whether a chunk may be queued in `inbox`; makes room or fails as the overflow policy says. */
  admit(inbox: Fifo<C>): boolean;
  /** A stage of `block` said finish. */
  finish(block: BlockLane<C>): void;
  /** The last chunk of `block` has left. */
  blockClosed(block: BlockLane<C>): void;
}

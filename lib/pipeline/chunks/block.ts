import type { ChunkEvent } from '../../events/hook-event.ts';
import type { StepFailure } from '../run/step-failure.ts';
import type { Lane } from './lane.ts';

/** A block of chunks, as its stages know it. */
export interface Block<C extends ChunkEvent> {
  readonly lane: Lane<C>;
  /** A chunk of the block with all members but the content. */
  readonly template: C;
  /** The member that holds the text. */
  readonly content: 'delta' | 'content';
  readonly closed: boolean;
  /** Sends a chunk through the stages from `place` on. */
  enter(place: number, chunk: C): void;
  /** Ends the block for the stages from `place` on. */
  enterLast(place: number): void;
  /** Cuts off the source and all stages up to `place`; `chunk` still passes the later ones, which then flush. */
  finishAt(place: number, chunk: C): void;
  abort(chunk: C): void;
  fail(failure: StepFailure): void;
}

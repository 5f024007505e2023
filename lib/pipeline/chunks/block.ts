import type { ChunkEvent } from '../../events/hook-event.ts';
import type { StepFailure } from '../run/step-failure.ts';
import type { Lane } from './lane.ts';

/** A block of chunks as its stages see it. */
export interface Block<C extends ChunkEvent> {
  readonly lane: Lane<C>;
  /** A chunk of the block without its content. */
  readonly template: C;
  /** The field that contains the text. */
  readonly content: 'delta' | 'content';
  readonly closed: boolean;
  enter(place: number, chunk: C): void;
  /** Ends the block for the stages from `place` on. */
  enterLast(place: number): void;
  /** Cancels the source and all stages up to `place`. The later stages process `chunk` and then flush. */
  finishAt(place: number, chunk: C): void;
  abort(chunk: C): void;
  fail(failure: StepFailure): void;
}

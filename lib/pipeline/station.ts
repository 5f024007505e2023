import type { ChunkEvent } from '../events/hook-event.ts';
import type { LaneHost } from './lane.ts';
import type { StepFailure } from './step-failure.ts';

/** One stage of one block, with whatever it has queued or holds back. */
export interface Station<C extends ChunkEvent> {
  /** Takes a chunk; gives the one to go on with at once, or nothing when it drops it, is busy, or sends it on itself. */
  take(chunk: C): C | undefined;
  /** Drops what it has, without flushing. */
  cut(): void;
}

/** What a station may do to the block that it is part of. `place` is the station's own place in the block. */
export interface Block<C extends ChunkEvent> {
  readonly host: LaneHost<C>;
  /** A chunk of the block with all members but the content. */
  readonly template: C;
  /** The member that holds the text. */
  readonly content: string;
  readonly closed: () => boolean;
  /** Freezes a chunk in development. */
  seal(chunk: C): C;
  /** Hands a chunk to the stations behind `place`. */
  send(place: number, chunk: C): void;
  /** Ends the block behind `place`. */
  sendLast(place: number): void;
  /** Cuts off the source and all stations up to `place`; `chunk` still passes the later ones, which then flush. */
  finishAt(place: number, chunk: C): void;
  abort(chunk: C): void;
  fail(failure: StepFailure): void;
}

/** The text of a chunk, whichever member holds it. */
export function textIn(chunk: ChunkEvent): string {
  return chunk.type === 'reasoningChunk' ? chunk.delta : chunk.content;
}

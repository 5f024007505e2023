import type { ActingChunk } from '../../events/acting-chunk.ts';
import type { ChunkEvent } from '../../events/hook-event.ts';
import type { ReasoningChunk } from '../../events/reasoning-chunk.ts';
import type { Lease } from '../run/lease.ts';
import type { StepFailure } from '../run/step-failure.ts';
import type { LaneHost } from './lane-host.ts';

/** One stage of one block, with whatever it has queued or holds back. */
export interface Station<C extends ChunkEvent> {
  /** Takes a chunk; gives the one to go on with at once, or nothing when it drops it, is busy, or sends it on itself. */
  take(chunk: C): C | undefined;
  /** Drops what it has, without flushing. */
  cut(): void;
}

/** The station of a chunk handler. The block calls an idle one's handler itself, and comes here with whatever is not the plain case. */
export interface HandlerStation<C extends ChunkEvent> extends Station<C> {
  /** Whether nothing is under way, so that the handler may be called. */
  idle(): boolean;
  /** What follows from what the handler returned when it was `shown` the chunk. Throws what breaks its contract. */
  answer(chunk: C, returned: unknown, lease: Lease, decisions: number, shown: C): C | undefined;
  /** What follows from what the handler, or `answer`, threw. */
  failed(chunk: C, thrown: unknown): C | undefined;
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
  /** What a handler gets to see of a chunk: a copy where it could write into it. */
  shown(chunk: C): C;
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

/**
 * Made by `modify` from this very chunk, with nothing but other text. What `modify` gives is not frozen: other members may have been put
 * into it since. They are spelt out, for this is asked for every chunk that is changed.
 */
export function isPlainChange(chunk: ChunkEvent, returned: ChunkEvent): boolean {
  if (chunk.last || returned.last || returned.decision !== chunk.decision || returned.notes !== chunk.notes)
    return false;
  if (returned.run !== chunk.run || returned.iteration !== chunk.iteration || returned.attempt !== chunk.attempt)
    return false;
  return chunk.type === 'reasoningChunk' ? sameReasoning(chunk, returned) : sameActing(chunk, returned);
}

function sameReasoning(chunk: ReasoningChunk, returned: ChunkEvent): boolean {
  if (returned.type !== 'reasoningChunk' || typeof returned.delta !== 'string') return false;
  return returned.part === chunk.part && returned.block === chunk.block && returned.toolCallId === chunk.toolCallId;
}

function sameActing(chunk: ActingChunk, returned: ChunkEvent): boolean {
  if (returned.type !== 'actingChunk' || typeof returned.content !== 'string') return false;
  return returned.toolCall === chunk.toolCall;
}

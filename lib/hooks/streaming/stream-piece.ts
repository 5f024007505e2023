import type { ChunkEvent, SettledEvent } from '../../events/hook-event.ts';
import type { RunInfo } from '../../events/parts/run-info.ts';
import type { streamedParts } from './streaming-options.ts';

/** Some text of a block. */
export interface StreamPiece {
  readonly run: RunInfo;
  /** Counts the reasonings of the run from 1. */
  readonly iteration: number;
  readonly part: (typeof streamedParts)[number];
  /** The same for all pieces of a block, and for no other block of the run. */
  readonly block: string;
  /** A higher one than before withdraws what came of the same iteration, or call, so far. */
  readonly attempt: number;
  /** What is new; with `mode: cumulative` all text of the block so far. */
  readonly text: string;
  /** Whether the block ends with it. */
  readonly last: boolean;
  readonly toolCallId?: string;
  /** Of `toolProgress`, the name of the tool. */
  readonly tool?: string;
  /** How many characters of the block are lost, because the sink was too slow. */
  readonly lost?: number;
}

/** Takes pieces; while what it gives is under way, further ones wait. */
export type StreamSink = (piece: StreamPiece) => unknown;

/** A piece of what a chunk belongs to, without its text. */
export function pieceOf(event: SettledEvent<ChunkEvent>): Omit<StreamPiece, 'text' | 'last'> {
  const { run, iteration, attempt } = event;
  if (event.type === 'actingChunk') {
    const { id: toolCallId, name: tool } = event.toolCall;
    return { run, iteration, part: 'toolProgress', block: `call ${toolCallId}`, attempt, toolCallId, tool };
  }
  const { part, toolCallId } = event;
  const block = `${iteration} ${event.block}`;
  return { run, iteration, part, block, attempt, ...(toolCallId !== undefined && { toolCallId }) };
}

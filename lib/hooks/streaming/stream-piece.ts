import type { ChunkEvent, SettledEvent } from '../../events/hook-event.ts';
import type { RunInfo } from '../../events/parts/run-info.ts';
import type { streamedParts } from './streaming-options.ts';

/** A text of a block. */
export interface StreamPiece {
  readonly run: RunInfo;
  /** Counts the model steps of the run from 1. */
  readonly iteration: number;
  readonly part: (typeof streamedParts)[number];
  /** The same for all pieces of a block, and unique in the run. */
  readonly block: string;
  /** A higher attempt retracts the earlier pieces of the same iteration or call. */
  readonly attempt: number;
  /** The new text. With `mode: cumulative`, all text of the block so far. */
  readonly text: string;
  /** Whether it is the last piece of the block. */
  readonly last: boolean;
  readonly toolCallId?: string;
  /** The name of the tool, for `toolProgress`. */
  readonly tool?: string;
  /** The number of characters of the block lost because the sink was too slow. */
  readonly lost?: number;
}

/** Receives pieces. Further pieces wait until its result settles. */
export type StreamSink = (piece: StreamPiece) => unknown;

/** Returns the piece of a chunk without its text. */
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

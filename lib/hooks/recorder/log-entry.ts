import { z } from 'zod';
import { chunkText } from '../../events/chunk-text.ts';
import type { ChunkEvent, SettledEvent } from '../../events/hook-event.ts';
import { traceStepSchema } from './recording-format.ts';

/** Schema of an entry in the log of a run store: an event with its trace steps, joined chunks, or the number of missing events. */
export const entrySchema = z.union([
  z.strictObject({
    event: z.looseObject({ type: z.string(), seq: z.int().nonnegative(), run: z.looseObject({ runId: z.string() }) }),
    ends: z.array(z.int().nonnegative()).min(1).exactOptional(),
    steps: z.array(traceStepSchema).exactOptional(),
  }),
  z.strictObject({ lost: z.int().positive(), of: z.enum(['chunks', 'gates']) }),
]);

/** Splits joined chunks into the original chunks. */
export function piecesOf(event: SettledEvent, ends: readonly number[] = []): readonly SettledEvent[] {
  if (ends.length === 0) return [event];
  const chunk = event as SettledEvent<ChunkEvent>;
  const text = chunkText(chunk);
  return ends.map((end, index) => {
    const piece = text.slice(index === 0 ? 0 : ends[index - 1], end);
    const seq = chunk.seq - (ends.length - 1 - index);
    // Only the newest chunk can be the last of its block.
    const last = chunk.last && index === ends.length - 1;
    return chunk.type === 'reasoningChunk'
      ? { ...chunk, seq, last, delta: piece }
      : { ...chunk, seq, last, content: piece };
  });
}

/** Whether the pieces of an event have its whole text and different numbers. */
export function areEnds(ends: readonly number[], { seq, ...event }: SettledEvent<ChunkEvent>): boolean {
  const inOrder = ends.every((end, index) => index === 0 || end >= (ends[index - 1] as number));
  return inOrder && ends.length <= seq + 1 && ends.at(-1) === chunkText(event as ChunkEvent).length;
}

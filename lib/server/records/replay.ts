import { z } from 'zod';
import { chunkText } from '../../events/chunk-text.ts';
import type { ChunkEvent, SettledEvent } from '../../events/hook-event.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import { traceStepSchema } from '../../hooks/recorder/recording-format.ts';
import type { TraceStep } from '../../pipeline/define/hook.ts';
import { Journal, type JournalLimits } from '../sse/journal.ts';

/** What stands at a place of the log of a run: an event with what hooks did to it, chunks in one, or how many events are missing. */
export const entrySchema = z.union([
  z.strictObject({
    event: z.looseObject({ type: z.string(), seq: z.int().nonnegative(), run: z.looseObject({ runId: z.string() }) }),
    ends: z.array(z.int().nonnegative()).min(1).exactOptional(),
    steps: z.array(traceStepSchema).exactOptional(),
  }),
  z.strictObject({ lost: z.int().positive(), of: z.enum(['chunks', 'gates']) }),
]);

/** A run that was recorded. */
export interface Replayed {
  readonly journal: Journal;
  /** Whether its postCall is there. */
  readonly whole: boolean;
}

/** The journal of a run that was recorded, with the same ids, as far as the record goes. What is no entry is told as lost. */
export function replay(runId: string, entries: readonly JsonObject[], limits: JournalLimits): Replayed {
  const journal = new Journal(runId, limits);
  let whole = false;
  for (const entry of entries) {
    const parsed = entrySchema.safeParse(entry).data;
    if (!parsed) journal.lose('gates', 1);
    else if ('lost' in parsed) journal.lose(parsed.of, parsed.lost);
    else {
      // As it was written: what has looked at it has put its members in another order.
      const event = entry['event'] as unknown as SettledEvent;
      const steps = entry['steps'] as readonly TraceStep[] | undefined;
      for (const piece of piecesOf(event, parsed.ends)) journal.append(piece, steps);
      whole ||= event.type === 'postCall' && event.run.runId === runId;
    }
  }
  journal.close();
  return { journal, whole };
}

/** A line of chunks as the chunks that it was joined of. */
export function piecesOf(event: SettledEvent, ends: readonly number[] = []): readonly SettledEvent[] {
  if (ends.length === 0) return [event];
  const chunk = event as SettledEvent<ChunkEvent>;
  const text = chunkText(chunk);
  return ends.map((end, index) => {
    const piece = text.slice(index === 0 ? 0 : ends[index - 1], end);
    const seq = chunk.seq - (ends.length - 1 - index);
    // Only the newest of a line can be the last of its block.
    const last = chunk.last && index === ends.length - 1;
    return chunk.type === 'reasoningChunk'
      ? { ...chunk, seq, last, delta: piece }
      : { ...chunk, seq, last, content: piece };
  });
}

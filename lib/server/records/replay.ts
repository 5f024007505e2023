import { z } from 'zod';
import { chunkText } from '../../events/chunk-text.ts';
import type { ChunkEvent, SettledEvent } from '../../events/hook-event.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import { traceStepSchema } from '../../hooks/recorder/recording-format.ts';
import type { TraceStep } from '../../pipeline/define/hook.ts';
import { Journal, type JournalLimits } from '../sse/journal.ts';

/** Schema of a log entry: an event with its trace steps, joined chunks, or the number of missing events. */
export const entrySchema = z.union([
  z.strictObject({
    event: z.looseObject({ type: z.string(), seq: z.int().nonnegative(), run: z.looseObject({ runId: z.string() }) }),
    ends: z.array(z.int().nonnegative()).min(1).exactOptional(),
    steps: z.array(traceStepSchema).exactOptional(),
  }),
  z.strictObject({ lost: z.int().positive(), of: z.enum(['chunks', 'gates']) }),
]);

/** The journal of a recorded run. */
export interface Replayed {
  readonly journal: Journal;
  /** Whether the record contains the postCall. */
  readonly whole: boolean;
}

/** Restores the journal of a recorded run with the same ids, as far as the record goes. An invalid entry counts as a lost event. */
export function replay(runId: string, entries: readonly JsonObject[], limits: JournalLimits): Replayed {
  const journal = new Journal(runId, limits);
  let whole = false;
  for (const entry of entries) {
    const parsed = entrySchema.safeParse(entry).data;
    if (!parsed) journal.lose('gates', 1);
    else if ('lost' in parsed) journal.lose(parsed.of, parsed.lost);
    else {
      // Keeps the order of fields in the log, because validation has reordered them.
      const event = entry['event'] as unknown as SettledEvent;
      const steps = entry['steps'] as readonly TraceStep[] | undefined;
      for (const piece of piecesOf(event, parsed.ends)) journal.append(piece, steps);
      whole ||= event.type === 'postCall' && event.run.runId === runId;
    }
  }
  journal.close();
  return { journal, whole };
}

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

import type { SettledEvent } from '../../events/hook-event.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import { entrySchema, piecesOf } from '../../hooks/recorder/log-entry.ts';
import type { TraceStep } from '../../pipeline/define/hook.ts';
import { Journal, type JournalLimits } from '../sse/journal.ts';

export interface Replayed {
  readonly journal: Journal;
  /** Whether the record contains the postCall. */
  readonly whole: boolean;
}

/** Restores the journal of a recorded run with the same ids, as far as the record goes. An invalid entry counts as a lost event. */
export function replay(runId: string, entries: readonly JsonObject[], limits: JournalLimits): Replayed {
  const journal = new Journal(runId, limits);
  const whole = appendEntries(journal, runId, entries);
  journal.close();
  return { journal, whole };
}

/** Appends entries of a record. Returns whether the postCall of the run is among them. */
export function appendEntries(journal: Journal, runId: string, entries: readonly JsonObject[]): boolean {
  let whole = false;
  for (const entry of entries) {
    if ('takenOver' in entry) continue;
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
  return whole;
}

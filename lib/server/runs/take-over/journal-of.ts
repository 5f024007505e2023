import type { JournalItem } from '../../../agent/recover/read-journal.ts';
import type { EventOf, SettledEvent } from '../../../events/hook-event.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import { entrySchema, piecesOf } from '../../../hooks/recorder/log-entry.ts';
import type { RunView } from '../run-view.ts';

/** Returns the settled events in the log of a run. The log has the name of the session, and the agent knows it as `session`. */
export function journalOf(entries: readonly JsonObject[], runId: string, session: string): readonly JournalItem[] {
  return entries.flatMap((entry): readonly JournalItem[] => {
    if ('takenOver' in entry) return [];
    const parsed = entrySchema.safeParse(entry).data;
    // The agent rejects what is not an event, and marks of other lost events.
    if (!parsed || 'lost' in parsed) return [entry as unknown as JournalItem];
    return piecesOf(entry['event'] as unknown as SettledEvent, parsed.ends).map((event) =>
      event.run.runId === runId ? { ...event, run: { ...event.run, sessionId: session } } : event,
    );
  });
}

/** Returns the outcome in the log of a run; undefined if it has none. */
export function endOf(entries: readonly JsonObject[], runId: string): Pick<RunView, 'outcome' | 'reason'> | undefined {
  for (const { event } of entries) {
    const post = event as unknown as SettledEvent<EventOf<'postCall'>> | undefined;
    if (post?.type !== 'postCall' || post.run.runId !== runId) continue;
    return { outcome: post.outcome, ...(post.reason !== undefined && { reason: post.reason }) };
  }
  return undefined;
}

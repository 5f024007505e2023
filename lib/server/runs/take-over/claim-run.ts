import type { JsonObject } from '../../../events/values/json-value.ts';
import type { SuspendedRuns } from '../../approvals/suspended-runs.ts';
import { headOf } from '../../records/run-head.ts';
import type { LostRun, RunRecords } from '../../records/run-records.ts';
import type { RunLog, RunStore } from '../../run-store/run-store.ts';
import type { RunView } from '../run-view.ts';
import { endOf } from './journal-of.ts';

export interface ClaimParts {
  readonly store: RunStore;
  readonly records: Pick<RunRecords, 'list' | 'note'>;
  readonly suspended: Pick<SuspendedRuns, 'find' | 'remove'>;
  /** Called with the last view of a run that continues as another one, or has ended. */
  readonly onView: (view: RunView) => void;
}

/** A lost run whose writer this server is now. */
export interface ClaimedRun {
  readonly log: RunLog;
  /** How often the run and those that it continues were taken over, this time included. Attempts that failed count, too. */
  readonly takeOvers: number;
  /** The view of the run while it is active. */
  readonly active: RunView;
  /** Records the end of the run. */
  end(how: Partial<RunView>): Promise<void>;
}

/**
 * Makes this server the only one that continues or ends a lost run. Returns undefined if another server was faster. The same if the run has ended, is
 * suspended or continues as another run, which is recorded then. `admit` is called first and may throw.
 */
export async function claimRun(
  { key, head }: LostRun,
  { store, records, suspended, onView }: ClaimParts,
  admit: () => void = () => {},
): Promise<ClaimedRun | undefined> {
  const { version: _, server: _from, at: _since, view: seen, ...about } = head;
  const { doing: _doing, paused, ...view } = seen;
  const active: RunView = { ...view, ...(paused && { paused }) };

  async function note(next: RunView): Promise<undefined> {
    await records.note(key, next);
    onView({ user: key.user, ...next });
  }
  const end = (how: Partial<RunView>) => note({ ...view, ...how, state: 'ended', endedAt: new Date().toISOString() });

  const others = await records.list(key.user);
  const next = others.find((other) => other.view.resumedFrom === key.runId);
  if (next) return end({ resumedBy: next.view.runId });
  admit();
  const takeOvers = (head.takeOvers ?? 0) + 1;
  // Counted before the attempt, because this server may end in it.
  const taken = headOf(active, { ...about, takeOvers }) as unknown as JsonObject;
  const log = await store.takeOver?.(key, head as unknown as JsonObject, taken);
  // Another server was faster, or the run goes on.
  if (!log) return undefined;
  // It was saved, but its end was not recorded. An answer continues it.
  const waiting = await suspended.find(key.user, key.runId);
  if (waiting) return note(waiting.run.run);
  const over = endOf(log.entries, key.runId);
  if (over) return end(over);
  await closeEarlier();
  return { log, takeOvers, active, end };

  /** If the server ended while it resumed a suspended run as this one, the approvals of that run would be pending again. */
  async function closeEarlier(): Promise<void> {
    const runId = view.resumedFrom;
    const earlier = runId === undefined ? undefined : await suspended.find(key.user, runId);
    if (runId === undefined || earlier?.run.resuming === undefined) return;
    const { waiting: _waiting, ...before } = earlier.run.run;
    await records.note({ user: key.user, runId }, { ...before, state: 'ended', resumedBy: key.runId });
    await suspended.remove(key.user, runId, earlier.revision);
  }
}

import type { Logger } from 'pino';
import { ownSession } from '../../../chat/own-session.ts';
import { hasCode } from '../../../errors/has-code.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import type { SuspendedRuns } from '../../approvals/suspended-runs.ts';
import { headOf } from '../../records/run-head.ts';
import type { LostRun, RunRecords } from '../../records/run-records.ts';
import type { RunStore } from '../../run-store/run-store.ts';
import { ownerOf, type RecoveredRun } from '../run-ports.ts';
import type { RunView } from '../run-view.ts';
import type { TrackedRun } from '../tracked-run.ts';
import { endOf, journalOf } from './journal-of.ts';

export interface TakeOverParts {
  readonly store: RunStore;
  readonly records: Pick<RunRecords, 'list' | 'note'>;
  readonly suspended: Pick<SuspendedRuns, 'find' | 'remove'>;
  /** Throws if no run may start in that session now. */
  readonly admit: (user: string, session: string) => void;
  /** Continues a run as a new one. */
  readonly recover: (run: RecoveredRun, before: RunView) => TrackedRun;
  /** Called with the last view of a run that continues as another one. */
  readonly onView: (view: RunView) => void;
  readonly log: Logger | undefined;
}

/** How often a run and those that continue it are taken over. Such a run may be the reason why its servers end. */
const MOST_TAKE_OVERS = 10;
/** How often its journal may be rejected. Another server may have the agent of the run. */
const MOST_REJECTED = 3;

/** Takes over a lost run. Resolves if it continues or has ended, here or elsewhere. Rejects if another attempt may succeed. */
export async function takeOverRun({ key, head }: LostRun, parts: TakeOverParts): Promise<void> {
  const { store, records, suspended } = parts;
  const { version: _, server: _from, at: _since, view: seen, ...about } = head;
  const { doing: _doing, paused, ...view } = seen;
  const active: RunView = { ...view, ...(paused && { paused }) };

  async function note(next: RunView): Promise<void> {
    await records.note(key, next);
    parts.onView({ user: key.user, ...next });
  }
  const end = (how: Partial<RunView>) => note({ ...view, ...how, state: 'ended', endedAt: new Date().toISOString() });
  const fail = (reason: string) => end({ outcome: 'failed', reason });

  const others = await records.list(key.user);
  const next = others.find((other) => other.view.resumedFrom === key.runId);
  if (next) return end({ resumedBy: next.view.runId });
  const session = ownSession(key.user, view.sessionId);
  parts.admit(key.user, session);
  const takeOvers = (head.takeOvers ?? 0) + 1;
  const taken = headOf(active, { ...about, takeOvers }) as unknown as JsonObject;
  const log = await store.takeOver?.(key, head as unknown as JsonObject, taken);
  // Another server was faster, or the run goes on.
  if (!log) return undefined;
  // It was saved, but its end was not recorded. An answer continues it.
  const waiting = await suspended.find(key.user, key.runId);
  if (waiting) return note(waiting.run.run);
  const over = endOf(log.entries, key.runId);
  if (over) return end(over);
  if (log.cut) return fail('The server ended while the run was active, and the record of the run is damaged.');
  if (takeOvers > MOST_TAKE_OVERS)
    return fail(`The run was taken over ${MOST_TAKE_OVERS} times without success. Start a new run.`);
  await closeEarlier();
  const { writeAhead = false, maxIterations } = head;
  const tracked = parts.recover(
    {
      journal: journalOf(log.entries, key.runId, session),
      writeAhead,
      owner: ownerOf(key.user, view.scope),
      sessionId: session,
      takeOvers,
      ...(maxIterations !== undefined && { maxIterations }),
    },
    { user: key.user, ...active },
  );
  try {
    const { runId: resumedBy } = await tracked.begun;
    parts.log?.warn({ runId: key.runId, resumedBy }, 'the server of a run has ended; the run continues here');
    return end({ resumedBy });
  } catch (thrown) {
    if (!hasCode(thrown, 'RECOVERY_INVALID') || takeOvers < MOST_REJECTED) throw thrown;
    return fail(`The server ended while the run was active. It cannot continue: ${(thrown as Error).message}`);
  }

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

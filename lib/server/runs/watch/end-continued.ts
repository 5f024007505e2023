import type { Logger } from 'pino';
import type { RunInfo } from '../../../events/parts/run-info.ts';
import type { SuspendedRun } from '../../approvals/suspended-run.ts';
import type { SuspendedRuns } from '../../approvals/suspended-runs.ts';
import type { RunRecords } from '../../records/run-records.ts';
import type { RunView } from '../run-view.ts';
import type { TrackedRun } from '../tracked-run.ts';

interface Parts {
  readonly suspended: SuspendedRuns;
  readonly records: Pick<RunRecords, 'note' | 'find'>;
  readonly find: (user: string, runId: string) => TrackedRun | undefined;
  /** Whether this server is resuming the run. */
  readonly isResuming: (run: SuspendedRun) => boolean;
  /** Called when the calls of a run are no longer pending. */
  readonly onEnded: (run: SuspendedRun) => void;
  readonly log: Logger | undefined;
}

/**
 * Ends the suspended runs of a session in which the program has started a run: the run that it resumes, and runs whose session has continued without an
 * answer. Errors are logged.
 */
export function endContinued(parts: Parts): (run: RunInfo, user: string) => void {
  return (run, user) =>
    void update(parts, user, run).catch((err: unknown) =>
      parts.log?.error({ err, runId: run.runId }, 'the server cannot update the earlier runs of a session'),
    );
}

async function update(parts: Parts, user: string, { runId, sessionId, resumedFrom }: RunInfo): Promise<void> {
  const { suspended, records } = parts;
  const given: Pick<RunView, 'outcome' | 'reason'> = {
    outcome: 'cancelled',
    reason: 'The session continued without an answer.',
  };
  for (const { run, revision } of await suspended.list(user)) {
    if (!run.watched || run.session !== sessionId || parts.isResuming(run)) continue;
    if (!(await suspended.remove(user, run.run.runId, revision))) continue;
    parts.onEnded(run);
    if (run.run.runId !== resumedFrom) await end(run.run, given);
  }
  const before = resumedFrom === undefined ? undefined : await viewOf(resumedFrom);
  if (before && before.resumedBy === undefined) await end(before, { resumedBy: runId });

  async function viewOf(runId: string): Promise<RunView | undefined> {
    return parts.find(user, runId)?.view ?? records.find({ user, runId });
  }

  async function end({ waiting: _, ...view }: RunView, how: Parameters<TrackedRun['note']>[0]): Promise<void> {
    parts.find(user, view.runId)?.note(how);
    await records.note({ user, runId: view.runId }, { ...view, ...how, state: 'ended' });
  }
}

import type { Logger } from 'pino';
import type { RunInfo } from '../../../events/parts/run-info.ts';
import type { Answering } from '../../approvals/answering.ts';
import type { SuspendedRun } from '../../approvals/suspended-run.ts';
import type { SuspendedRuns } from '../../approvals/suspended-runs.ts';
import type { RunRecords } from '../../records/run-records.ts';
import type { RunView } from '../run-view.ts';
import type { TrackedRun } from '../tracked-run.ts';

interface Parts extends Pick<Answering, 'isResuming' | 'resumed'> {
  readonly suspended: SuspendedRuns;
  readonly records: Pick<RunRecords, 'note' | 'find'>;
  readonly find: (user: string, runId: string) => TrackedRun | undefined;
  /** Settles when the earlier runs of a session are saved. */
  readonly saved: (user: string, session: string) => Promise<unknown>;
  /** Whether the run may continue the conversation of the suspended one. */
  readonly continues: (run: RunInfo, suspended: RunView) => boolean;
  /** Called when the calls of a run are no longer pending. */
  readonly onEnded: (run: SuspendedRun) => void;
  readonly log: Logger | undefined;
}

/**
 * Ends the suspended runs of a session in which the program has started a run: the run that it resumes, and runs whose session has continued without an
 * answer. Errors are logged.
 */
export function endContinued(parts: Parts): (run: RunInfo, tracked: TrackedRun) => void {
  return (run, tracked) =>
    void update(parts, tracked, run).catch((err: unknown) =>
      parts.log?.error({ err, runId: run.runId }, 'the server cannot update the earlier runs of a session'),
    );
}

async function update(parts: Parts, tracked: TrackedRun, info: RunInfo): Promise<void> {
  const { suspended, records } = parts;
  const { user } = tracked.owner;
  const { runId, sessionId, resumedFrom } = info;
  const given: Pick<RunView, 'outcome' | 'reason'> = {
    outcome: 'cancelled',
    reason: 'The session continued without an answer.',
  };
  await parts.saved(user, sessionId);
  for (const { run } of await suspended.list(user)) {
    if (!run.watched || run.session !== sessionId || !isEarlier(run.run) || !parts.continues(info, run.run)) continue;
    if (!(await remove(run.run.runId))) continue;
    parts.onEnded(run);
    if (run.run.runId !== resumedFrom) await end(run.run, given);
  }
  const before = resumedFrom === undefined ? undefined : await viewOf(resumedFrom);
  if (before && before.resumedBy === undefined) await end(before, { resumedBy: runId });

  function isEarlier({ startedAt, resumedAt = startedAt }: RunView): boolean {
    return Date.parse(resumedAt) < tracked.startedAt;
  }

  /** Removes a run that is not being resumed by an answer. Returns false otherwise. */
  async function remove(runId: string): Promise<boolean> {
    for (;;) {
      // If the run cannot be resumed, its calls are pending again.
      await parts.resumed(runId);
      const found = await suspended.find(user, runId);
      if (!found || parts.isResuming(found.run)) return false;
      if (await suspended.remove(user, runId, found.revision)) return true;
    }
  }

  async function viewOf(runId: string): Promise<RunView | undefined> {
    return parts.find(user, runId)?.view ?? records.find({ user, runId });
  }

  async function end({ waiting: _, ...view }: RunView, how: Parameters<TrackedRun['note']>[0]): Promise<void> {
    parts.find(user, view.runId)?.note(how);
    await records.note({ user, runId: view.runId }, { ...view, ...how, state: 'ended' });
  }
}

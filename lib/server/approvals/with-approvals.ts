import type { Snapshot } from '../../agent/suspend/snapshot.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import type { SuspendedRun } from './suspended-run.ts';

/** The snapshot of a run that goes on, with who has answered what in the metadata of its run: hooks see it there, and the audit tells of it. */
export function withApprovals(snapshot: Snapshot, { user, calls, answers }: SuspendedRun): Snapshot {
  const approvals = calls.flatMap(({ key, id, toolCallId, tool }) => {
    const { input, ...given } = answers[key] ?? {};
    return [{ id, toolCallId, tool, of: user, ...given, ...(input && { edited: true }) } as JsonObject];
  });
  return { ...snapshot, run: { ...snapshot.run, metadata: { ...snapshot.run.metadata, approvals } } };
}

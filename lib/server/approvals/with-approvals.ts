import type { Snapshot } from '../../agent/suspend/snapshot.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import type { SuspendedRun } from './suspended-run.ts';

/** Returns the snapshot with the given answers in the metadata of its run. Hooks read them there, and the audit log records them. */
export function withApprovals(snapshot: Snapshot, { user, calls, answers }: SuspendedRun): Snapshot {
  const approvals = calls.flatMap(({ key, id, toolCallId, tool }) => {
    const { input, ...given } = answers[key] ?? {};
    return [{ id, toolCallId, tool, of: user, ...given, ...(input && { edited: true }) } as JsonObject];
  });
  return { ...snapshot, run: { ...snapshot.run, metadata: { ...snapshot.run.metadata, approvals } } };
}

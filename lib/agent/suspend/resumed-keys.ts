import type { JsonObject } from '../../events/values/json-value.ts';
import { type PendingCall, parseSnapshot, type Snapshot } from './snapshot.ts';

/** Returns the key of a call in a run. Keys of pending calls have this format. */
export const callKey = (runId: string, toolCallId: string): string => `${runId}/${toolCallId}`;

/** Maps the key of each pending call from its run's events to its original key. A run that is suspended again keeps the original. */
export function resumedKeys(snapshot: Snapshot | JsonObject): ReadonlyMap<string, string> {
  return new Map(allPending(snapshot).map(({ runId, call }) => [callKey(runId, call.toolCall.id), call.key]));
}

/** Returns all pending calls of a snapshot, including calls that wait for a sub-agent. */
export function allPending(
  snapshot: Snapshot | JsonObject,
): readonly { readonly runId: string; readonly call: PendingCall }[] {
  const { pending, run } = parseSnapshot(snapshot);
  return pending.flatMap((call) => [{ runId: run.runId, call }, ...(call.child ? allPending(call.child) : [])]);
}

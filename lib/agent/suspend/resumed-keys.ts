import type { JsonObject } from '../../events/values/json-value.ts';
import { type PendingCall, parseSnapshot, type Snapshot } from './snapshot.ts';

/** Names a call of a run, as keys of pending calls do. */
export const callKey = (runId: string, toolCallId: string): string => `${runId}/${toolCallId}`;

/** The key of each pending call by the one that its run's events give it: a run that is suspended again keeps the first. */
export function resumedKeys(snapshot: Snapshot | JsonObject): ReadonlyMap<string, string> {
  return new Map(allPending(snapshot).map(({ runId, call }) => [callKey(runId, call.toolCall.id), call.key]));
}

/** All calls that a snapshot waits for, with those that wait because a sub-agent of theirs does. */
export function allPending(
  snapshot: Snapshot | JsonObject,
): readonly { readonly runId: string; readonly call: PendingCall }[] {
  const { pending, run } = parseSnapshot(snapshot);
  return pending.flatMap((call) => [{ runId: run.runId, call }, ...(call.child ? allPending(call.child) : [])]);
}

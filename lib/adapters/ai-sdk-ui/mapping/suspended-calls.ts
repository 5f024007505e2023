import { allPending } from '../../../agent/suspend/resumed-keys.ts';
import { pendingCalls, type Snapshot } from '../../../agent/suspend/snapshot.ts';
import { type WaitingCall as PendingCall, shownCall } from '../../../agent/suspend/waiting-call.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';

/** A call that waits for the client: for an approval, or for the result of a client tool. */
export interface WaitingCall extends Omit<PendingCall, 'hash'> {
  /** The id for the client's answer. */
  readonly id: string;
  readonly hash?: string;
  /** ISO 8601. */
  readonly expiresAt?: string;
  /** True if the client runs the call. */
  readonly client?: boolean;
  /** True if the run continues meanwhile. The answer goes to the inbox, not with the next message. */
  readonly inline?: boolean;
}

/** Returns the pending calls of a snapshot, including those of sub-agents. */
export function waitingCalls(snapshot: Snapshot | JsonObject): readonly WaitingCall[] {
  return pendingCalls(snapshot).map((call) => ({ ...shownCall(call), id: call.key }));
}

/** Returns the keys of calls that wait for a sub-agent. */
export function pendingCallIds(snapshot: Snapshot | JsonObject): readonly string[] {
  return allPending(snapshot).flatMap(({ call }) => (call.child ? [call.key] : []));
}

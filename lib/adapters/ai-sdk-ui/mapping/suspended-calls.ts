import { allPending } from '../../../agent/suspend/resumed-keys.ts';
import { pendingCalls, type Snapshot } from '../../../agent/suspend/snapshot.ts';
import { type WaitingCall as PendingCall, shownCall } from '../../../agent/suspend/waiting-call.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';

/** A call that waits for the client: for an answer, or for the result of a tool that is its own. */
export interface WaitingCall extends Omit<PendingCall, 'hash'> {
  /** What the client answers by. */
  readonly id: string;
  readonly hash?: string;
  /** ISO 8601. */
  readonly expiresAt?: string;
  /** Whether the client is to run it. */
  readonly client?: boolean;
  /** Whether the run goes on meanwhile: the answer goes to where it waits, not with the next message. */
  readonly inline?: boolean;
}

/** The calls that a snapshot waits for, those of sub-agents included. */
export function waitingCalls(snapshot: Snapshot | JsonObject): readonly WaitingCall[] {
  return pendingCalls(snapshot).map((call) => ({ ...shownCall(call), id: call.key }));
}

/** Keys of the calls that wait because a sub-agent of theirs does. */
export function heldCalls(snapshot: Snapshot | JsonObject): readonly string[] {
  return allPending(snapshot).flatMap(({ call }) => (call.child ? [call.key] : []));
}

import { type PendingCall, parseSnapshot, pendingCalls, type Snapshot } from '../../../agent/suspend/snapshot.ts';
import type { ToolCall } from '../../../events/parts/tool-call.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import { callKey } from './call-parts.ts';

/** A call that waits for the client: for an answer, or for the result of a tool that is its own. */
export interface WaitingCall {
  /** Of the pending call. */
  readonly key: string;
  /** What the client answers by. */
  readonly id: string;
  /** As it was judged. */
  readonly toolCall: ToolCall;
  readonly agent: string;
  readonly prompt?: string;
  /** The hook that asks. */
  readonly by?: string;
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
  return pendingCalls(snapshot).map(({ key, toolCall, judged = toolCall, agent, prompt, by }) => ({
    key,
    id: key,
    toolCall: judged,
    agent,
    ...(prompt !== undefined && { prompt }),
    ...(by !== undefined && { by }),
  }));
}

/** Keys of the calls that wait because a sub-agent of theirs does. */
export function heldCalls(snapshot: Snapshot | JsonObject): readonly string[] {
  return walk(snapshot).flatMap(({ call }) => (call.child ? [call.key] : []));
}

/** The key of each pending call by the one that the events of the resumed run give it: a run that is suspended again keeps the first. */
export function resumedKeys(snapshot: Snapshot | JsonObject): ReadonlyMap<string, string> {
  return new Map(walk(snapshot).map(({ runId, call }) => [callKey(runId, call.toolCall.id), call.key]));
}

function walk(snapshot: Snapshot | JsonObject): readonly { readonly runId: string; readonly call: PendingCall }[] {
  const { pending, run } = parseSnapshot(snapshot);
  return pending.flatMap((call) => [{ runId: run.runId, call }, ...(call.child ? walk(call.child) : [])]);
}

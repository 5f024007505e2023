import { z } from 'zod';
import { askedOf } from '../../events/decisions/ask.ts';
import { askSchema } from '../../events/decisions/decision.ts';
import type { ToolCall } from '../../events/parts/tool-call.ts';
import { canonicalJson } from '../../events/values/canonical-json.ts';
import { type JsonObject, jsonObjectSchema } from '../../events/values/json-value.ts';
import { sha256 } from '../../events/values/sha256.ts';
import { pendingCalls, type Snapshot } from './snapshot.ts';

/** A pending call for display. It contains the evaluated call, not the one that the model requested. */
export const waitingCallSchema = z.strictObject({
  /** The key for the answer to the agent. */
  key: z.string(),
  /** The agent of the call. It is a sub-agent's name if the sub-agent's approver asks. */
  agent: z.string(),
  toolCallId: z.string(),
  tool: z.string(),
  input: jsonObjectSchema,
  /** The prompt. If several approvers ask, it contains the texts of all. */
  prompt: z.string().exactOptional(),
  /** The hook that asks; the first one, if several ask. */
  by: z.string().exactOptional(),
  /** The hooks that ask, each with its own prompt, if there are several. One answer is for all of them. */
  asks: z.array(askSchema).readonly().exactOptional(),
  /** The hash of the evaluated call, see `callHash`. */
  hash: z.string(),
});

/** A pending call, with the hash that identifies it. */
export type WaitingCall = z.infer<typeof waitingCallSchema>;

/** Returns the pending calls of a snapshot, including those of nested runs. */
export function waitingCalls(snapshot: Snapshot | JsonObject): Promise<readonly WaitingCall[]> {
  const calls = pendingCalls(snapshot).map(async (pending) => ({
    ...shownCall(pending),
    hash: await callHash(pending.judged ?? pending.toolCall),
  }));
  return Promise.all(calls);
}

/** Returns a pending call for display, without its hash. */
export function shownCall({
  key,
  agent,
  toolCall,
  judged = toolCall,
  ...asked
}: ReturnType<typeof pendingCalls>[number]): Omit<WaitingCall, 'hash'> {
  return {
    key,
    agent,
    toolCallId: judged.id,
    tool: judged.name,
    input: judged.input,
    ...askedOf(asked),
  };
}

/** Returns the hash that an answer must contain: hexadecimal SHA-256 of the canonical JSON (RFC 8785) of the shown call. */
function callHash(call: ToolCall): Promise<string> {
  return sha256(canonicalJson(call));
}

import { z } from 'zod';
import type { ToolCall } from '../../events/parts/tool-call.ts';
import { canonicalJson } from '../../events/values/canonical-json.ts';
import { type JsonObject, jsonObjectSchema } from '../../events/values/json-value.ts';
import { sha256 } from '../../events/values/sha256.ts';
import { pendingCalls, type Snapshot } from './snapshot.ts';

/** A call that waits, as somebody is shown it: the call that was judged, not what the model said. */
export const waitingCallSchema = z.strictObject({
  /** What its answer is given by, to the agent. */
  key: z.string(),
  /** The agent whose call it is; a sub-agent's name where one asks. */
  agent: z.string(),
  toolCallId: z.string(),
  tool: z.string(),
  input: jsonObjectSchema,
  /** What the approver asks. */
  prompt: z.string().exactOptional(),
  /** The hook that asks. */
  by: z.string().exactOptional(),
  /** Of the judged call, see `callHash`. */
  hash: z.string(),
});

/** A call that waits for an answer, with the hash that names it. */
export type WaitingCall = z.infer<typeof waitingCallSchema>;

/** The calls that a snapshot waits for, those of nested runs included. */
export function waitingCalls(snapshot: Snapshot | JsonObject): Promise<readonly WaitingCall[]> {
  const calls = pendingCalls(snapshot).map(async (pending) => ({
    ...shownCall(pending),
    hash: await callHash(pending.judged ?? pending.toolCall),
  }));
  return Promise.all(calls);
}

/** A call that waits as it is shown, but for its hash. */
export function shownCall({
  key,
  agent,
  toolCall,
  judged = toolCall,
  prompt,
  by,
}: ReturnType<typeof pendingCalls>[number]): Omit<WaitingCall, 'hash'> {
  return {
    key,
    agent,
    toolCallId: judged.id,
    tool: judged.name,
    input: judged.input,
    ...(prompt !== undefined && { prompt }),
    ...(by !== undefined && { by }),
  };
}

/** What an answer to a call has to name: SHA-256, in hexadecimal digits, of the canonical JSON (RFC 8785) of the call as it was shown. */
function callHash(call: ToolCall): Promise<string> {
  return sha256(canonicalJson(call));
}

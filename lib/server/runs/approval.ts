import { createHash } from 'node:crypto';
import { z } from 'zod';
import { pendingCalls } from '../../agent/snapshot.ts';
import { canonicalJson } from '../../events/canonical-json.ts';
import { type JsonObject, jsonObjectSchema } from '../../events/json-value.ts';
import type { SuspendedRun } from './suspended-run.ts';

/** A call that waits for an answer, as the API shows it. */
export const approvalSchema = z.strictObject({
  id: z.string(),
  runId: z.string(),
  /** The agent whose call it is; a sub-agent's name where one asks. */
  agent: z.string(),
  toolCallId: z.string(),
  tool: z.string(),
  input: jsonObjectSchema,
  /** What the approver asks. */
  prompt: z.string().exactOptional(),
  /** The hook that asks. */
  by: z.string().exactOptional(),
  /** SHA-256, in hexadecimal digits, of the canonical JSON (RFC 8785) of `{ id, name, input }` of the call; an answer has to name it. */
  hash: z.string(),
  suspendedAt: z.iso.datetime(),
  /** Why the run could not be resumed when all was answered last. */
  fault: z.string().exactOptional(),
});

export type Approval = z.infer<typeof approvalSchema>;

/** All calls that a run waits for, answered or not, with the keys of their answers. */
export function approvalsOf({ run, snapshot, fault }: SuspendedRun): readonly (Approval & { readonly key: string })[] {
  return pendingCalls(snapshot).map(({ key, agent, toolCall, judged = toolCall, prompt, by }) => ({
    key,
    id: `${run.runId}.${sha256(key).slice(0, 16)}`,
    runId: run.runId,
    agent,
    toolCallId: judged.id,
    tool: judged.name,
    input: judged.input,
    ...(prompt !== undefined && { prompt }),
    ...(by !== undefined && { by }),
    hash: sha256(canonicalJson(judged as unknown as JsonObject)),
    suspendedAt: run.endedAt ?? run.startedAt,
    ...(fault && { fault: `${fault.code}: ${fault.message}` }),
  }));
}

/** The run that an approval belongs to. */
export function runOfApproval(id: string): string {
  return id.slice(0, Math.max(0, id.lastIndexOf('.')));
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

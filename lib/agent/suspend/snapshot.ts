import { z } from 'zod';
import { HooklineError } from '../../errors.ts';
import { askSchema } from '../../events/decisions/decision.ts';
import { messageSchema, toolResultPartSchema } from '../../events/parts/message.ts';
import { runInfoSchema } from '../../events/parts/run-info.ts';
import { toolCallSchema } from '../../events/parts/tool-call.ts';
import { usageSchema } from '../../events/parts/usage.ts';
import { type JsonObject, jsonObjectSchema } from '../../events/values/json-value.ts';

/** The version of the snapshot format. */
export const SNAPSHOT_VERSION = 1;

/** A pending call. It waits for its own approvers, or for a call of a sub-agent. */
export const pendingCallSchema = z.strictObject({
  /** The key for answers. Unique across nested runs. */
  key: z.string(),
  /** The call as the model requested it. */
  toolCall: toolCallSchema,
  /** The call to run instead, if an earlier answer edited the input. */
  edited: toolCallSchema.exactOptional(),
  /** The call as the approver saw it, which the answer is for. Missing if a sub-agent waits. */
  judged: toolCallSchema.exactOptional(),
  /** The prompt. If several approvers ask, it contains the texts of all. */
  prompt: z.string().exactOptional(),
  /** The hook that asks; the first one, if several ask. */
  by: z.string().exactOptional(),
  /** The hooks that ask, each with its own prompt, if there are several. One answer is for all of them. */
  asks: z.array(askSchema).min(2).readonly().exactOptional(),
  /** Approvals of other approvers of this call, each with the call that was shown. */
  granted: z.array(z.strictObject({ by: z.string(), judged: toolCallSchema })).exactOptional(),
  child: jsonObjectSchema.exactOptional(),
  /** The number of sub-agent runs that the call had started before this one. */
  childOrder: z.int().nonnegative().exactOptional(),
});

/** The data that a suspended run needs to resume, also in another process. JSON. The host must protect its integrity. */
export const snapshotSchema = z.strictObject({
  version: z.literal(SNAPSHOT_VERSION),
  run: runInfoSchema,
  /** The conversation up to the message with the pending calls, inclusive. */
  transcript: z.array(messageSchema),
  /** Settled results of the same batch. These calls do not run again. */
  settled: z.array(toolResultPartSchema),
  /** True if a hook asked to end the run after this batch. */
  finishing: z.boolean(),
  pending: z.array(pendingCallSchema).min(1),
  /** The approvers in force when the run was suspended, by name. */
  approvers: z.array(z.string()).exactOptional(),
  /** Later messages of the user. They follow the results of the batch. */
  steering: z.array(messageSchema).exactOptional(),
  state: jsonObjectSchema,
  iteration: z.int().nonnegative(),
  /** The maximum number of model steps, including those before the snapshot. */
  maxIterations: z.int().positive(),
  /** The number of consecutive retries. Missing if there were none. */
  retries: z.int().nonnegative().exactOptional(),
  usage: usageSchema.exactOptional(),
});

/** Schema of an `Answer`. */
export const answerSchema = z.strictObject({
  approved: z.boolean(),
  reason: z.string().exactOptional(),
  /** The input to run instead of the shown one. */
  input: jsonObjectSchema.exactOptional(),
});

/** A tool call that waits for an answer. `key` identifies it in the answers. */
export type PendingCall = z.infer<typeof pendingCallSchema>;
/** The data that resumes a suspended run, also in another process. Plain JSON. */
export type Snapshot = z.infer<typeof snapshotSchema>;
/** The answer to a suspended call. */
export type Answer = z.infer<typeof answerSchema>;
/** Answers by the key of the pending call. A call without an answer is suspended again. It stays pending if its approver is missing. */
export type Answers = Readonly<Record<string, Answer>>;

/** Validates a snapshot from outside. Throws `SNAPSHOT_INVALID` if it does not match the schema. */
export function parseSnapshot(value: unknown): Snapshot {
  const version = (value as { version?: unknown } | null | undefined)?.version;
  if (typeof version === 'number' && version !== SNAPSHOT_VERSION) {
    throw new HooklineError(
      'SNAPSHOT_INVALID',
      `The snapshot has version ${version}; this Hookline reads version ${SNAPSHOT_VERSION}.`,
    );
  }
  const parsed = snapshotSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new HooklineError('SNAPSHOT_INVALID', `The snapshot is invalid: ${z.prettifyError(parsed.error)}`);
}

const batchSchema = snapshotSchema
  .pick({ version: true, settled: true, pending: true })
  .extend({ transcript: z.array(z.unknown()) })
  .strip();

/**
 * Returns the calls of a snapshot and the number of messages before their results, or `undefined` if the snapshot cannot be read. Does not read the
 * messages, because a conversation is long.
 */
export function batchOf(value: unknown) {
  const parsed = batchSchema.safeParse(value);
  return parsed.success ? { ...parsed.data, start: parsed.data.transcript.length } : undefined;
}

/** Returns the pending calls of a snapshot, including those of nested runs: the prompt, and the key for the answer. */
export function pendingCalls(snapshot: Snapshot | JsonObject): readonly (PendingCall & { readonly agent: string })[] {
  const { pending, run } = parseSnapshot(snapshot);
  return pending.flatMap((call) => (call.child ? pendingCalls(call.child) : [{ ...call, agent: run.agent }]));
}

/** Validates answers against their snapshot. Throws `ANSWER_INVALID` for an invalid answer or an unknown key. */
export function parseAnswers(snapshot: Snapshot, answers: unknown): Answers {
  const parsed = z.record(z.string(), answerSchema).safeParse(answers);
  if (!parsed.success)
    throw new HooklineError('ANSWER_INVALID', `The answers do not fit: ${z.prettifyError(parsed.error)}`);
  const keys = pendingCalls(snapshot).map(({ key }) => key);
  const unknown = Object.keys(parsed.data).find((key) => !keys.includes(key));
  if (unknown === undefined) return parsed.data;
  throw new HooklineError('ANSWER_INVALID', `No pending call has the key "${unknown}". Pending: ${keys.join(', ')}.`);
}

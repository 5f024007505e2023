import { z } from 'zod';
import { HooklineError } from '../../errors.ts';
import { messageSchema, toolResultPartSchema } from '../../events/parts/message.ts';
import { runInfoSchema } from '../../events/parts/run-info.ts';
import { toolCallSchema } from '../../events/parts/tool-call.ts';
import { usageSchema } from '../../events/parts/usage.ts';
import { type JsonObject, jsonObjectSchema } from '../../events/values/json-value.ts';

/** The version of the snapshot format. */
export const SNAPSHOT_VERSION = 1;

/** A call that waits for an answer: its own approver's, or one that a sub-agent's call waits for. */
export const pendingCallSchema = z.strictObject({
  /** What answers are given by; unique across nested runs. */
  key: z.string(),
  /** As the model asked for it. */
  toolCall: toolCallSchema,
  /** What runs instead, when an earlier answer edited the input. */
  edited: toolCallSchema.exactOptional(),
  /** As the approver was shown it; what is answered. Absent where a sub-agent waits. */
  judged: toolCallSchema.exactOptional(),
  prompt: z.string().exactOptional(),
  by: z.string().exactOptional(),
  /** What other approvers of the same call have been answered already: yes, to the call as they were shown it. */
  granted: z.array(z.strictObject({ by: z.string(), judged: toolCallSchema })).exactOptional(),
  child: jsonObjectSchema.exactOptional(),
  /** How many runs of that sub-agent the call had begun before this one. */
  childOrder: z.int().nonnegative().exactOptional(),
});

/** Everything that a suspended run needs to go on, in another process if need be. JSON; its integrity is the host's duty. */
export const snapshotSchema = z.strictObject({
  version: z.literal(SNAPSHOT_VERSION),
  run: runInfoSchema,
  /** The conversation up to and with the message whose calls are pending. */
  transcript: z.array(messageSchema),
  /** Results of the same batch that have settled; these calls are not run again. */
  settled: z.array(toolResultPartSchema),
  /** Whether a hook asked to end the run after this batch. */
  finishing: z.boolean(),
  pending: z.array(pendingCallSchema).min(1),
  /** The approvers in force when the run was suspended, by name. */
  approvers: z.array(z.string()).exactOptional(),
  /** What the user has said since; it stands behind the results of the batch. */
  steering: z.array(messageSchema).exactOptional(),
  state: jsonObjectSchema,
  iteration: z.int().nonnegative(),
  /** Reasonings before the run is exhausted, those before the snapshot included. */
  maxIterations: z.int().positive(),
  /** Retries in a row; absent when there were none. */
  retries: z.int().nonnegative().exactOptional(),
  usage: usageSchema.exactOptional(),
});

/** Schema of an `Answer`. */
export const answerSchema = z.strictObject({
  approved: z.boolean(),
  reason: z.string().exactOptional(),
  /** An input to run instead of the one that was shown. */
  input: jsonObjectSchema.exactOptional(),
});

/** A tool call that waits for an answer; `key` names it in the answers. */
export type PendingCall = z.infer<typeof pendingCallSchema>;
/** All that a suspended run needs to be resumed, in another process too. Plain JSON. */
export type Snapshot = z.infer<typeof snapshotSchema>;
/** What somebody said to a suspended call. */
export type Answer = z.infer<typeof answerSchema>;
/** Answers by the key of the pending call. A call without one is asked about again; it stays pending where its approver is missing. */
export type Answers = Readonly<Record<string, Answer>>;

/** Checks a snapshot that came from outside; a misfit is `SNAPSHOT_INVALID`. */
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
  throw new HooklineError('SNAPSHOT_INVALID', `The snapshot does not fit: ${z.prettifyError(parsed.error)}`);
}

/** The calls that a snapshot waits for, those of nested runs included: what to ask, and the key to answer by. */
export function pendingCalls(snapshot: Snapshot | JsonObject): readonly (PendingCall & { readonly agent: string })[] {
  const { pending, run } = parseSnapshot(snapshot);
  return pending.flatMap((call) => (call.child ? pendingCalls(call.child) : [{ ...call, agent: run.agent }]));
}

/** Checks answers against the snapshot that they answer; a misfit or an unknown key is `ANSWER_INVALID`. */
export function parseAnswers(snapshot: Snapshot, answers: unknown): Answers {
  const parsed = z.record(z.string(), answerSchema).safeParse(answers);
  if (!parsed.success)
    throw new HooklineError('ANSWER_INVALID', `The answers do not fit: ${z.prettifyError(parsed.error)}`);
  const keys = pendingCalls(snapshot).map(({ key }) => key);
  const unknown = Object.keys(parsed.data).find((key) => !keys.includes(key));
  if (unknown === undefined) return parsed.data;
  throw new HooklineError('ANSWER_INVALID', `No pending call has the key "${unknown}". Pending: ${keys.join(', ')}.`);
}

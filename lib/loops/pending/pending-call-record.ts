import { z } from 'zod';
import { openText, signText } from '../../agent/suspend/sign-text.ts';
import { pendingCallSchema } from '../../agent/suspend/snapshot.ts';
import { HooklineError } from '../../errors.ts';
import { runInfoSchema } from '../../events/parts/run-info.ts';
import { jsonObjectSchema } from '../../events/values/json-value.ts';

const VERSION = 1;

/** Schema of a `PendingCallRecord`. */
export const pendingCallRecordSchema = z.strictObject({
  version: z.literal(VERSION),
  /** The run that suspended the call. */
  run: runInfoSchema,
  /** The call as the model requested it and as it was evaluated, with the prompt and the approver. */
  call: pendingCallSchema.omit({ child: true, childOrder: true }).required({ judged: true }),
  /** The run's state, for the run that resumes. */
  state: jsonObjectSchema,
  iteration: z.int().nonnegative(),
  /** The approvers in force when the call was suspended, by name. */
  approvers: z.array(z.string()).exactOptional(),
  /** The number of earlier answers. Other approvers may have suspended the call before. */
  asked: z.int().positive().exactOptional(),
  /** Milliseconds since 1970. Later answers do not count. */
  expiresAt: z.number().exactOptional(),
});

/** A pending call of a framework's loop, with the data that its answer needs. Plain JSON. */
export type PendingCallRecord = z.infer<typeof pendingCallRecordSchema>;

/**
 * Signs a pending call, for hosts that can only carry a string. The text is not encrypted, and can be used again until it expires. `secret` should
 * have at least 32 random bytes.
 */
export function signPendingCall(pending: PendingCallRecord, secret: string | Uint8Array): Promise<string> {
  return signText(JSON.stringify(pending), secret);
}

/**
 * Verifies a text of `signPendingCall` and returns the pending call. Rejects with `ANSWER_INVALID` if the text was changed, was signed with another
 * secret, or has expired.
 */
export async function openPendingCall(
  signed: string,
  secret: string | Uint8Array,
  now: number = Date.now(),
): Promise<PendingCallRecord> {
  const json = await openText(signed, secret);
  if (json === undefined) throw invalid('its signature is invalid: it was changed, or signed with another secret');
  const pending = parsePendingCall(JSON.parse(json));
  if (isOver(pending, now)) throw invalid('it has expired; judge the call again');
  return pending;
}

/** Validates a pending call from outside. Throws `ANSWER_INVALID` if it does not match the schema. */
export function parsePendingCall(value: unknown): PendingCallRecord {
  const parsed = pendingCallRecordSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalid(`it is invalid: ${z.prettifyError(parsed.error)}`);
}

/** Returns true if the pending call has expired. */
export function isOver({ expiresAt }: PendingCallRecord, now: number): boolean {
  return expiresAt !== undefined && expiresAt <= now;
}

/** Returns a pending call in the current format. */
export function toPendingCallRecord(pending: Omit<PendingCallRecord, 'version'>): PendingCallRecord {
  return { version: VERSION, ...pending };
}

function invalid(why: string): HooklineError {
  return new HooklineError('ANSWER_INVALID', `The pending call is rejected: ${why}.`);
}

import { z } from 'zod';
import { openText, signText } from '../../agent/suspend/sign-text.ts';
import { pendingCallSchema } from '../../agent/suspend/snapshot.ts';
import { HooklineError } from '../../errors.ts';
import { runInfoSchema } from '../../events/parts/run-info.ts';
import { jsonObjectSchema } from '../../events/values/json-value.ts';

const VERSION = 1;

/** Schema of a `HeldCall`. */
export const heldCallSchema = z.strictObject({
  version: z.literal(VERSION),
  /** The run that had asked. */
  run: runInfoSchema,
  /** The call as the model asked for it, as it was judged, and who asks what. */
  call: pendingCallSchema.omit({ child: true, childOrder: true }).required({ judged: true }),
  /** The run's state, for the run that goes on. */
  state: jsonObjectSchema,
  iteration: z.int().nonnegative(),
  /** The approvers in force when the call was suspended, by name. */
  approvers: z.array(z.string()).exactOptional(),
  /** How many answers the call has had before: others may have asked about it. */
  asked: z.int().positive().exactOptional(),
  /** Milliseconds since 1970; an answer that comes later does not count. */
  expiresAt: z.number().exactOptional(),
});

/** One call of somebody else's loop that waits for an answer, with all that the answer needs to count. Plain JSON. */
export type HeldCall = z.infer<typeof heldCallSchema>;

/**
 * A held call as text that nobody can change unseen, for hosts that carry nothing but a string. Who can read the text can read the call,
 * and can give it back again until it expires. `secret` should have at least 32 random bytes.
 */
export function signHeldCall(held: HeldCall, secret: string | Uint8Array): Promise<string> {
  return signText(JSON.stringify(held), secret);
}

/** The held call that `signHeldCall` made text of. Text that was changed, signed with another secret, or is over is `ANSWER_INVALID`. */
export async function openHeldCall(
  signed: string,
  secret: string | Uint8Array,
  now: number = Date.now(),
): Promise<HeldCall> {
  const json = await openText(signed, secret);
  if (json === undefined) throw invalid('its signature does not fit: it was changed, or signed with another secret');
  const held = parseHeldCall(JSON.parse(json));
  if (isOver(held, now)) throw invalid('its time is over; the call has to be judged again');
  return held;
}

/** Checks a held call that came from outside; a misfit is `ANSWER_INVALID`. */
export function parseHeldCall(value: unknown): HeldCall {
  const parsed = heldCallSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalid(`it does not fit: ${z.prettifyError(parsed.error)}`);
}

/** Whether an answer to it comes too late. */
export function isOver({ expiresAt }: HeldCall, now: number): boolean {
  return expiresAt !== undefined && expiresAt <= now;
}

/** A new held call in the current format. */
export function toHeldCall(held: Omit<HeldCall, 'version'>): HeldCall {
  return { version: VERSION, ...held };
}

function invalid(why: string): HooklineError {
  return new HooklineError('ANSWER_INVALID', `The held call cannot be used: ${why}.`);
}

import { z } from 'zod';
import type { Answers } from '../../agent/suspend/snapshot.ts';
import { waitingCallSchema as shownCallSchema } from '../../agent/suspend/waiting-call.ts';
import { jsonObjectSchema } from '../../events/values/json-value.ts';
import { runViewSchema } from '../runs/run-view.ts';
import type { AnswerBody } from './answer-body.ts';
import type { Answerer } from './answerer-of.ts';
import { runPlaceSchema } from './run-place.ts';

/** What was said to one call, and who was first. */
export const givenAnswerSchema = z.strictObject({
  action: z.enum(['approve', 'deny']),
  /** The user whose token it was; `hookline` where nobody answered in time, which `expired` tells from a user of that name. */
  by: z.string(),
  expired: z.literal(true).exactOptional().describe('Nobody has answered in time.'),
  at: z.iso.datetime(),
  reason: z.string().exactOptional(),
  input: jsonObjectSchema.exactOptional(),
  /** The name of the token, or its id where it has none. */
  token: z.string().exactOptional(),
  /** Where the answer came from. */
  address: z.string().exactOptional(),
  /** Of the call as it was shown. */
  hash: z.string().exactOptional(),
});

/** A call that waits, as it was when the run was suspended. */
export const waitingCallSchema = shownCallSchema.extend({ id: z.string() });

/** A run that waits in the store for answers. Its snapshot is a document of its own. */
export const suspendedRunSchema = z.strictObject({
  version: z.literal(2),
  /** Whose run it is. */
  user: z.string(),
  /** The session as the agent knows it. */
  session: z.string(),
  run: runViewSchema,
  /** Where it works. */
  place: runPlaceSchema.exactOptional(),
  calls: z.array(waitingCallSchema),
  /** By the key of the pending call. */
  answers: z.record(z.string(), givenAnswerSchema),
  /** Since when a server is resuming it. */
  resuming: z.iso.datetime().exactOptional(),
  /** Why it could not be resumed when it was tried last. */
  fault: z.strictObject({ code: z.string(), message: z.string(), at: z.iso.datetime() }).exactOptional(),
});

export type GivenAnswer = z.infer<typeof givenAnswerSchema>;
export type WaitingCall = z.infer<typeof waitingCallSchema>;
export type SuspendedRun = z.infer<typeof suspendedRunSchema>;

/** Whether all of its calls have been answered, were `answers` the answers. */
export function isAnswered({ calls }: SuspendedRun, answers: SuspendedRun['answers']): boolean {
  return calls.every(({ key }) => Object.hasOwn(answers, key));
}

/** Whether a server is resuming the run that has not gone since. */
export function isBeingResumed({ resuming }: SuspendedRun, goneMs: number): boolean {
  return resuming !== undefined && Date.now() - Date.parse(resuming) < goneMs;
}

/** A run as it was before anybody has answered, and why it did not work. */
export function waitingAgain(
  { resuming, answers, ...run }: SuspendedRun,
  why: { code: string; message: string },
): SuspendedRun {
  return { ...run, answers: {}, fault: { ...why, at: new Date().toISOString() } };
}

/** What was said to its calls, as an agent takes it. */
export function answersOf({ answers }: SuspendedRun): Answers {
  const entries = Object.entries(answers).map(([key, { action, reason, input }]) => [
    key,
    { approved: action === 'approve', ...(reason !== undefined && { reason }), ...(input !== undefined && { input }) },
  ]);
  return Object.fromEntries(entries);
}

/** An answer as it is kept: by whom, from where, and when. */
export function givenBy(
  { user, expired, token, address }: Answerer,
  { hash }: WaitingCall,
  body: AnswerBody,
): GivenAnswer {
  const { action, reason } = body;
  const at = new Date().toISOString();
  return {
    ...{ action, by: user, ...(expired && { expired: true as const }), at, hash },
    ...(reason !== undefined && { reason }),
    ...(body.action === 'approve' && body.input !== undefined && { input: body.input }),
    ...(token !== undefined && { token }),
    ...(address !== undefined && { address }),
  };
}

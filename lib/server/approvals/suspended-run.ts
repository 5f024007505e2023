import { z } from 'zod';
import type { Answers } from '../../agent/suspend/snapshot.ts';
import { waitingCallSchema as shownCallSchema } from '../../agent/suspend/waiting-call.ts';
import { jsonObjectSchema } from '../../events/values/json-value.ts';
import { withoutUndefined } from '../../events/values/without-undefined.ts';
import { runViewSchema } from '../runs/run-view.ts';
import type { AnswerBody } from './answer-body.ts';
import type { Answerer } from './answerer-of.ts';
import { runPlaceSchema } from './run-place.ts';

/** The first answer to a call. */
export const givenAnswerSchema = z.strictObject({
  action: z.enum(['approve', 'deny']),
  /** The user of the token. It is `hookline` if the approval expired; `expired` distinguishes it from a user of that name. */
  by: z.string(),
  expired: z.literal(true).exactOptional().describe('The approval timed out.'),
  at: z.iso.datetime(),
  reason: z.string().exactOptional(),
  input: jsonObjectSchema.exactOptional(),
  /** Name of the token, or its id if it has no name. */
  token: z.string().exactOptional(),
  /** Network address of the caller. */
  address: z.string().exactOptional(),
  /** Hash of the call that the caller saw. */
  hash: z.string().exactOptional(),
});

/** A pending call, as of the suspension of its run. */
export const waitingCallSchema = shownCallSchema.extend({ id: z.string() });

/** A suspended run in the store. Its snapshot is a separate document. */
export const suspendedRunSchema = z.strictObject({
  version: z.literal(2),
  user: z.string(),
  /** The agent's id of the session. */
  session: z.string(),
  run: runViewSchema,
  /** The program started the run by itself, so its agent or handler resumes it. */
  watched: z.literal(true).exactOptional(),
  /** Workspace and configuration files of the run. */
  place: runPlaceSchema.exactOptional(),
  calls: z.array(waitingCallSchema),
  /** Answers by the key of the pending call. */
  answers: z.record(z.string(), givenAnswerSchema),
  /** Time at which a server began to resume the run. */
  resuming: z.iso.datetime().exactOptional(),
  /** The error of the last attempt to resume the run. */
  issue: z.strictObject({ code: z.string(), message: z.string(), at: z.iso.datetime() }).exactOptional(),
});

export type GivenAnswer = z.infer<typeof givenAnswerSchema>;
export type WaitingCall = z.infer<typeof waitingCallSchema>;
export type SuspendedRun = z.infer<typeof suspendedRunSchema>;

export function isAnswered({ calls }: SuspendedRun, answers: SuspendedRun['answers']): boolean {
  return calls.every(({ key }) => Object.hasOwn(answers, key));
}

/** Whether a server is resuming the run and is not gone. */
export function isBeingResumed({ resuming }: SuspendedRun, goneMs: number): boolean {
  return resuming !== undefined && Date.now() - Date.parse(resuming) < goneMs;
}

/** Returns the run without answers, with the reason why it could not be resumed. */
export function waitingAgain(
  { resuming, answers, ...run }: SuspendedRun,
  why: { code: string; message: string },
): SuspendedRun {
  return { ...run, answers: {}, issue: { ...why, at: new Date().toISOString() } };
}

/** Returns the answers in the form that an agent accepts. */
export function answersOf({ answers }: SuspendedRun): Answers {
  const entries = Object.entries(answers).map(([key, { action, reason, input }]) => [
    key,
    { approved: action === 'approve', ...(reason !== undefined && { reason }), ...(input !== undefined && { input }) },
  ]);
  return Object.fromEntries(entries);
}

/** Returns an answer with its author, address and time. */
export function givenBy(
  { user, expired, token, address }: Answerer,
  { hash }: WaitingCall,
  body: AnswerBody,
): GivenAnswer {
  const { action, reason } = body;
  const at = new Date().toISOString();
  const input = body.action === 'approve' ? body.input : undefined;
  return withoutUndefined({ action, by: user, expired, at, hash, reason, input, token, address });
}

import { z } from 'zod';
import { pendingCalls } from '../../agent/snapshot.ts';
import { jsonObjectSchema } from '../../events/json-value.ts';
import { runViewSchema } from './run-view.ts';

/** What was said to one call, and who was first. */
export const givenAnswerSchema = z.strictObject({
  action: z.enum(['approve', 'deny']),
  by: z.string(),
  at: z.iso.datetime(),
  reason: z.string().exactOptional(),
  input: jsonObjectSchema.exactOptional(),
});

/** A run that waits in the store for answers. */
export const suspendedRunSchema = z.strictObject({
  version: z.literal(1),
  run: runViewSchema,
  snapshot: jsonObjectSchema,
  /** By the key of the pending call. */
  answers: z.record(z.string(), givenAnswerSchema),
  /** Since when a server is resuming it. */
  resuming: z.iso.datetime().exactOptional(),
  /** Why it could not be resumed when it was tried last. */
  fault: z.strictObject({ code: z.string(), message: z.string(), at: z.iso.datetime() }).exactOptional(),
});

export type GivenAnswer = z.infer<typeof givenAnswerSchema>;
export type SuspendedRun = z.infer<typeof suspendedRunSchema>;

/** Whether all of its calls have been answered, were `answers` the answers. */
export function isAnswered({ snapshot }: SuspendedRun, answers: SuspendedRun['answers']): boolean {
  return pendingCalls(snapshot).every(({ key }) => Object.hasOwn(answers, key));
}

/** Whether a server is resuming the run that has not gone since. */
export function isBeingResumed({ resuming }: SuspendedRun, goneMs: number): boolean {
  return resuming !== undefined && Date.now() - Date.parse(resuming) < goneMs;
}

import { z } from 'zod';
import { abortSchema, finishSchema, retryReasoningSchema } from './decisions/decision.ts';
import { eventBase, type FrozenFields } from './event-base.ts';
import { messageSchema } from './parts/message.ts';
import { usageSchema } from './parts/usage.ts';

/** Why a model stopped. `responded`: a hook answered instead; `stopped`: a hook or an interrupt cut it. */
export const finishReasonSchema = z.enum([
  'stop',
  'toolCalls',
  'length',
  'contentFilter',
  'responded',
  'stopped',
  'other',
]);

/**
 * The model has answered. `message` is remembered as it settles here; `retry` on one without tool calls says "not done yet".
 * `attempt` is the one that has brought it: chunks of earlier ones are withdrawn.
 */
export const postReasoningSchema = z.strictObject({
  type: z.literal('postReasoning'),
  ...eventBase,
  purpose: z.enum(['step', 'summary']),
  attempt: z.int().positive().exactOptional(),
  message: messageSchema,
  usage: usageSchema.exactOptional(),
  finishReason: finishReasonSchema,
  decision: z.discriminatedUnion('action', [retryReasoningSchema, finishSchema, abortSchema]).exactOptional(),
});

/** Why the model stopped. */
export type FinishReason = z.infer<typeof finishReasonSchema>;
/** The model has answered; hooks may change the message, retry, or finish. */
export interface PostReasoning extends FrozenFields<typeof postReasoningSchema> {}

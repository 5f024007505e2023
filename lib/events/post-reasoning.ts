import { z } from 'zod';
import { abortSchema, finishSchema, retryReasoningSchema } from './decisions/decision.ts';
import { eventBase, type FrozenFields } from './event-base.ts';
import { messageSchema } from './parts/message.ts';
import { usageSchema } from './parts/usage.ts';

/** Why a model stopped. `responded`: a hook responded instead. `stopped`: a hook or an interrupt stopped it. */
export const finishReasonSchema = z.enum([
  'stop',
  'toolCalls',
  'length',
  'contentFilter',
  'responded',
  'stopped',
  'other',
]);

/** Returns true if the schema accepts the value. Faster than the schema. */
export function isFinishReason(value: FinishReason): boolean {
  return finishReasonSchema.options.includes(value);
}

/**
 * The model has answered. `message` enters the transcript as the hooks leave it. A `retry` of a message without tool calls continues the run.
 * `attempt` is the attempt of this message. Chunks of earlier attempts are retracted.
 */
export const postReasoningSchema = z.strictObject({
  /** Event type. @example 'postReasoning' */
  type: z.literal('postReasoning'),
  ...eventBase,
  /** `summary` is the last model step without tools. @example 'step' */
  purpose: z.enum(['step', 'summary']),
  /** Attempt that produced the message. @example 1 */
  attempt: z.int().positive().exactOptional(),
  /** The reply, as it enters the transcript. @example assistantMessage('Hello.') */
  message: messageSchema,
  /** Token usage. @example { inputTokens: 120, outputTokens: 30 } */
  usage: usageSchema.exactOptional(),
  /** Why the model stopped. @example 'toolCalls' */
  finishReason: finishReasonSchema,
  /** Decision of a hook about this event, if any. @example { action: 'abort', reason: 'no budget', by: 'guard' } */
  decision: z.discriminatedUnion('action', [retryReasoningSchema, finishSchema, abortSchema]).exactOptional(),
});

/** Why the model stopped. */
export type FinishReason = z.infer<typeof finishReasonSchema>;
/** The model has answered. Hooks may change the message, retry, or finish. */
export interface PostReasoning extends FrozenFields<typeof postReasoningSchema> {}

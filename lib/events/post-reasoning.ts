import { z } from 'zod';
import { abortSchema, finishSchema, retryReasoningSchema } from './decisions/decision.ts';
import { eventBase, type FrozenFields } from './event-base.ts';
import { finishReasonSchema } from './parts/finish-reason.ts';
import { messageSchema } from './parts/message.ts';
import { usageSchema } from './parts/usage.ts';

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

/** The model has answered. Hooks may change the message, retry, or finish. */
export interface PostReasoning extends FrozenFields<typeof postReasoningSchema> {}

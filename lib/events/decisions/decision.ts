import { z } from 'zod';
import { assistantMessageSchema, messageSchema } from '../parts/message.ts';
import { toolResultSchema } from '../parts/tool-result.ts';

/** The hook that decided. The engine sets it. */
const by = z.string().exactOptional();

/** @internal */
export const respondWithMessageSchema = z.strictObject({
  action: z.literal('respond'),
  message: assistantMessageSchema,
  by,
});
/** @internal */
export const respondWithResultSchema = z.strictObject({ action: z.literal('respond'), result: toolResultSchema, by });
/** Schema of an `Ask`. */
export const askSchema = z.strictObject({ by: z.string(), prompt: z.string() }).readonly();

/** @internal */
export const suspendSchema = z.strictObject({
  action: z.literal('suspend'),
  prompt: z.string(),
  by,
  /** All prompts, if several approvers ask. */
  asks: z.array(askSchema).readonly().exactOptional(),
});
/** @internal */
export const denySchema = z.strictObject({ action: z.literal('deny'), reason: z.string(), by });
/** @internal */
export const retryReasoningSchema = z.strictObject({
  action: z.literal('retry'),
  messages: z.array(messageSchema).readonly().exactOptional(),
  by,
});
/** @internal */
export const retryStepSchema = z.strictObject({ action: z.literal('retry'), by });
/** @internal */
export const finishSchema = z.strictObject({ action: z.literal('finish'), by });
export const abortSchema = z.strictObject({
  action: z.literal('abort'),
  reason: z.string(),
  rollback: z.boolean().exactOptional(),
  by,
});

/** The decision that ends the run at once. */
export type Abort = z.infer<typeof abortSchema>;

/**
 * Order of strictness, most permissive first. Before a step: proceed < respond < suspend < deny < abort. After it: proceed < retry < finish < abort.
 */
export const decisionStrictness = {
  proceed: 0,
  respond: 1,
  retry: 1,
  suspend: 2,
  finish: 2,
  deny: 3,
  abort: 4,
} as const;

/** The action of a decision. Without a decision it is `proceed`. */
export type DecisionAction = keyof typeof decisionStrictness;

import { z } from 'zod';
import { respondWithMessageSchema, respondWithResultSchema, retryStepSchema } from './decisions/decision.ts';
import { eventBase, type FrozenFields } from './event-base.ts';
import { errorInfoSchema } from './parts/error-info.ts';
import { toolCallSchema } from './parts/tool-call.ts';

const common = {
  type: z.literal('error'),
  ...eventBase,
  source: z.enum(['model', 'tool', 'hook', 'host']),
  error: errorInfoSchema,
  hook: z.string().exactOptional(),
};

export const callErrorSchema = z.strictObject({
  ...common,
  phase: z.literal('call'),
  decision: z.discriminatedUnion('action', [respondWithMessageSchema]).exactOptional(),
});

export const reasoningErrorSchema = z.strictObject({
  ...common,
  phase: z.literal('reasoning'),
  decision: z.discriminatedUnion('action', [respondWithMessageSchema, retryStepSchema]).exactOptional(),
});

export const actingErrorSchema = z.strictObject({
  ...common,
  phase: z.literal('acting'),
  toolCall: toolCallSchema,
  decision: z.discriminatedUnion('action', [respondWithResultSchema, retryStepSchema]).exactOptional(),
});

/** Something failed. `respond` recovers with a message or a result, `retry` tries the failed step again. */
export const errorEventSchema: z.ZodDiscriminatedUnion<
  [typeof callErrorSchema, typeof reasoningErrorSchema, typeof actingErrorSchema],
  'phase'
> = z.discriminatedUnion('phase', [callErrorSchema, reasoningErrorSchema, actingErrorSchema]);

/** A run that failed outside of a step. */
export interface CallError extends FrozenFields<typeof callErrorSchema> {}
/** A model call that failed. */
export interface ReasoningError extends FrozenFields<typeof reasoningErrorSchema> {}
/** A tool call that failed. */
export interface ActingError extends FrozenFields<typeof actingErrorSchema> {}
/** Something that failed: a model call, a tool call, or the run itself. */
export type ErrorEvent = CallError | ReasoningError | ActingError;

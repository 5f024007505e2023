import { z } from 'zod';
import { respondWithMessageSchema, respondWithResultSchema, retryStepSchema } from './decisions/decision.ts';
import { eventBase, type FrozenFields } from './event-base.ts';
import { errorInfoSchema } from './parts/error-info.ts';
import { toolCallSchema } from './parts/tool-call.ts';

const common = {
  /** Event type. @example 'error' */
  type: z.literal('error'),
  ...eventBase,
  /** Component that failed. @example 'model' */
  source: z.enum(['model', 'tool', 'hook', 'host']),
  /** The error. @example { name: 'Error', message: 'timeout' } */
  error: errorInfoSchema,
  /** Hook that failed, for the source `hook`. @example 'guard' */
  hook: z.string().exactOptional(),
};

const callErrorSchema = z.strictObject({
  ...common,
  /** Phase that failed. @example 'call' */
  phase: z.literal('call'),
  /** Decision of a hook about this event, if any. @example { action: 'retry', by: 'guard' } */
  decision: z.discriminatedUnion('action', [respondWithMessageSchema]).exactOptional(),
});

const reasoningErrorSchema = z.strictObject({
  ...common,
  /** Phase that failed. @example 'reasoning' */
  phase: z.literal('reasoning'),
  /** Decision of a hook about this event, if any. @example { action: 'retry', by: 'guard' } */
  decision: z.discriminatedUnion('action', [respondWithMessageSchema, retryStepSchema]).exactOptional(),
});

const actingErrorSchema = z.strictObject({
  ...common,
  /** Phase that failed. @example 'acting' */
  phase: z.literal('acting'),
  /** The tool call. @example { id: 'c1', name: 'read_file', input: { path: 'a.txt' } } */
  toolCall: toolCallSchema,
  /** Decision of a hook about this event, if any. @example { action: 'retry', by: 'guard' } */
  decision: z.discriminatedUnion('action', [respondWithResultSchema, retryStepSchema]).exactOptional(),
});

/** A model request, a tool, a hook or the host failed. `respond` provides a message or a result. `retry` repeats the failed step. */
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
/** A failure of a model request, a tool call, or the run itself. */
export type ErrorEvent = CallError | ReasoningError | ActingError;

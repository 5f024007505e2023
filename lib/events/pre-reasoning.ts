import { z } from 'zod';
import { abortSchema, respondWithMessageSchema } from './decisions/decision.ts';
import { eventBase, type FrozenFields } from './event-base.ts';
import { messageSchema } from './parts/message.ts';
import { modelOptionsSchema } from './parts/model-options.ts';
import { toolDescriptionSchema } from './parts/tool-description.ts';

/**
 * A model request is about to be sent. Changes apply to this request only and do not enter the transcript. `purpose` is `summary` for the
 * last model step without tools. `attempt` counts from 1 and increases if a hook retries after an error.
 */
export const preReasoningSchema = z.strictObject({
  /** Event type. @example 'preReasoning' */
  type: z.literal('preReasoning'),
  ...eventBase,
  /** `summary` is the last model step without tools. @example 'step' */
  purpose: z.enum(['step', 'summary']),
  /** Attempt of the step, from 1. @example 1 */
  attempt: z.int().positive(),
  /** Messages, which hooks may change. @example [userMessage('hi')] */
  messages: z.array(messageSchema).readonly(),
  /** Tools that the model can call. @example [describeTool(clock)] */
  tools: z.array(toolDescriptionSchema).readonly(),
  /** Name of another model, if a hook selects one. @example 'small' */
  model: z.string().exactOptional(),
  /** Options of the model request. @example { temperature: 0 } */
  options: modelOptionsSchema,
  /** Decision of a hook about this event, if any. @example { action: 'abort', reason: 'no budget', by: 'guard' } */
  decision: z.discriminatedUnion('action', [respondWithMessageSchema, abortSchema]).exactOptional(),
});

/** A model request is about to be sent. Hooks may change messages, tools, model and options. */
export interface PreReasoning extends FrozenFields<typeof preReasoningSchema> {}

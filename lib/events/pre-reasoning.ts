import { z } from 'zod';
import { abortSchema, respondWithMessageSchema } from './decisions/decision.ts';
import { eventBase, type FrozenFields } from './event-base.ts';
import { messageSchema } from './parts/message.ts';
import { modelOptionsSchema } from './parts/model-options.ts';
import { toolDescriptionSchema } from './parts/tool-description.ts';

/**
 * The model is about to be asked. Changes shape this request only and are never remembered. `purpose` is `summary` for the last
 * reasoning without tools; `attempt` counts from 1 and rises when an error is answered with retry.
 */
export const preReasoningSchema = z.strictObject({
  type: z.literal('preReasoning'),
  ...eventBase,
  purpose: z.enum(['step', 'summary']),
  attempt: z.int().positive(),
  messages: z.array(messageSchema).readonly(),
  tools: z.array(toolDescriptionSchema).readonly(),
  model: z.string().exactOptional(),
  options: modelOptionsSchema,
  decision: z.discriminatedUnion('action', [respondWithMessageSchema, abortSchema]).exactOptional(),
});

/** The model is about to be asked; hooks may change messages, tools, model and options. */
export interface PreReasoning extends FrozenFields<typeof preReasoningSchema> {}

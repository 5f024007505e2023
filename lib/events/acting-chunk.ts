import { z } from 'zod';
import { abortSchema, finishSchema } from './decisions/decision.ts';
import { eventBase, type FrozenFields } from './event-base.ts';
import { toolCallSchema } from './parts/tool-call.ts';

/** A piece of what a running tool reports. The stream of a call ends with one empty chunk that has `last: true`. */
export const actingChunkSchema = z.strictObject({
  type: z.literal('actingChunk'),
  ...eventBase,
  toolCall: toolCallSchema,
  content: z.string(),
  attempt: z.int().positive(),
  last: z.boolean(),
  decision: z.discriminatedUnion('action', [finishSchema, abortSchema]).exactOptional(),
});

/** A piece of what a tool streams while it runs. */
export interface ActingChunk extends FrozenFields<typeof actingChunkSchema> {}

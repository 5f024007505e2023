import { z } from 'zod';
import { abortSchema, finishSchema } from './decisions/decision.ts';
import { eventBase, type FrozenFields } from './event-base.ts';

/**
 * A piece of what the model streams. `block` is the index of the message part that it belongs to; each block ends with one empty
 * chunk that has `last: true`. A higher `attempt` withdraws all chunks of the lower ones. No cumulative text: see `accumulate()`.
 */
export const reasoningChunkSchema = z.strictObject({
  type: z.literal('reasoningChunk'),
  ...eventBase,
  part: z.enum(['text', 'thinking', 'toolInput']),
  delta: z.string(),
  block: z.int().nonnegative(),
  toolCallId: z.string().exactOptional(),
  attempt: z.int().positive(),
  last: z.boolean(),
  decision: z.discriminatedUnion('action', [finishSchema, abortSchema]).exactOptional(),
});

/** A piece of what the model streams. */
export interface ReasoningChunk extends FrozenFields<typeof reasoningChunkSchema> {}

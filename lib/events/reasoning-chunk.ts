import { z } from 'zod';
import { abortSchema, finishSchema } from './decisions/decision.ts';
import { eventBase, type FrozenFields } from './event-base.ts';

/**
 * A piece of the output of the model. `block` is the index of its message part. Each block ends with one empty chunk with `last: true`.
 * A higher `attempt` retracts all chunks of lower ones. `accumulate()` returns the cumulative text.
 */
export const reasoningChunkSchema = z.strictObject({
  /** Event type. @example 'reasoningChunk' */
  type: z.literal('reasoningChunk'),
  ...eventBase,
  /** Kind of content. @example 'text' */
  part: z.enum(['text', 'thinking', 'toolInput']),
  /** New text of the block. @example 'Hel' */
  delta: z.string(),
  /** Index of the message part that the chunk belongs to. @example 0 */
  block: z.int().nonnegative(),
  /** ID of the tool call, for `toolInput`. @example 'c1' */
  toolCallId: z.string().exactOptional(),
  /** Attempt of the step, from 1. @example 1 */
  attempt: z.int().positive(),
  /** True for the last, empty chunk of a block. @example false */
  last: z.boolean(),
  /** Decision of a hook about this event, if any. @example { action: 'abort', reason: 'no budget', by: 'guard' } */
  decision: z.discriminatedUnion('action', [finishSchema, abortSchema]).exactOptional(),
});

/** A piece of the streamed output of the model. */
export interface ReasoningChunk extends FrozenFields<typeof reasoningChunkSchema> {}

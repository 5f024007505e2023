import { z } from 'zod';
import { abortSchema, finishSchema } from './decisions/decision.ts';
import { eventBase, type FrozenFields } from './event-base.ts';
import { toolCallSchema } from './parts/tool-call.ts';

/** A piece of the output of a running tool. The stream of a call ends with one empty chunk with `last: true`. */
export const actingChunkSchema = z.strictObject({
  /** Event type. @example 'actingChunk' */
  type: z.literal('actingChunk'),
  ...eventBase,
  /** The tool call. @example { id: 'c1', name: 'read_file', input: { path: 'a.txt' } } */
  toolCall: toolCallSchema,
  /** New output of the tool. @example '50 %' */
  content: z.string(),
  /** Attempt of the step, from 1. @example 1 */
  attempt: z.int().positive(),
  /** True for the last, empty chunk of a block. @example false */
  last: z.boolean(),
  /** Decision of a hook about this event, if any. @example { action: 'abort', reason: 'no budget', by: 'guard' } */
  decision: z.discriminatedUnion('action', [finishSchema, abortSchema]).exactOptional(),
});

/** A piece of the streamed output of a tool. */
export interface ActingChunk extends FrozenFields<typeof actingChunkSchema> {}

import { z } from 'zod';
import { EVENT_FORMAT_VERSION } from '../../events/hook-event.ts';
import { toolCallSchema } from '../../events/parts/tool-call.ts';

const text = z.string().min(1);

/** Fields that identify the stream of a batch. */
const head = {
  stream: z.int().positive().describe('A block of an attempt. Its batches arrive in order.'),
  run: z.string(),
  sessionId: z.string(),
  agent: z.string(),
  iteration: z.int().nonnegative(),
  attempt: z.int().positive(),
  format: z.literal(EVENT_FORMAT_VERSION),
};
const tail = {
  chunks: z.array(text).describe('Chunks since the previous batch. The last batch may be empty.'),
  last: z.boolean().describe('These are the last chunks. This reply must contain all held text.'),
};

/** Parameters of `hook.chunks`. */
export const chunkBatchSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('reasoningChunk'),
    ...head,
    part: z.enum(['text', 'thinking', 'toolInput']),
    block: z.int().nonnegative(),
    toolCallId: z.string().optional(),
    ...tail,
  }),
  z.strictObject({ type: z.literal('actingChunk'), ...head, toolCall: toolCallSchema, ...tail }),
]);

/** Reply to `hook.chunks`. */
export const chunkReplySchema = z
  .strictObject({
    chunks: z.array(z.string()).optional().describe('Chunks that replace them: the same, fewer, more or none.'),
    finish: z.literal(true).optional().describe('Stops the model or tool after these chunks.'),
    abort: text.optional().describe('Ends the run with this reason; no more chunks are emitted.'),
  })
  .refine(
    ({ chunks, finish, abort }) => chunks !== undefined || finish !== undefined || abort !== undefined,
    'must contain chunks, finish or abort; { "chunks": [] } emits nothing',
  );

/** Parameters of `hook.discard`: the buffered text of a stream is no longer needed. */
export const discardSchema = z.strictObject({ stream: head.stream, run: head.run });

export type ChunkReply = z.infer<typeof chunkReplySchema>;

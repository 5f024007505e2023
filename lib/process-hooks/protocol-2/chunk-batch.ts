import { z } from 'zod';
import { EVENT_FORMAT_VERSION } from '../../events/hook-event.ts';
import { toolCallSchema } from '../../events/parts/tool-call.ts';

const text = z.string().min(1);

/** The members of a batch that say what it is a piece of. */
const head = {
  stream: z.int().positive().describe('One block of one attempt; its batches come one after the other.'),
  run: z.string(),
  sessionId: z.string(),
  agent: z.string(),
  iteration: z.int().nonnegative(),
  attempt: z.int().positive(),
  format: z.literal(EVENT_FORMAT_VERSION),
};
const tail = {
  chunks: z.array(text).describe('What has come since the batch before; in the last batch perhaps nothing.'),
  last: z.boolean().describe('Nothing comes behind these chunks: whatever is held back has to go into this reply.'),
};

/** The parameters of `hook.chunks`. */
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

/** The reply to `hook.chunks`. */
export const chunkReplySchema = z
  .strictObject({
    chunks: z.array(z.string()).optional().describe('What goes on instead: the same, fewer, more, or none.'),
    finish: z.literal(true).optional().describe('The model or tool is stopped behind these chunks.'),
    abort: text.optional().describe('Why the run ends here; nothing more leaves.'),
  })
  .refine(
    ({ chunks, finish, abort }) => chunks !== undefined || finish !== undefined || abort !== undefined,
    'has to have chunks, finish or abort; { "chunks": [] } lets nothing through',
  );

/** The parameters of `hook.discard`: what the hook holds of a stream is not wanted any more. */
export const discardSchema = z.strictObject({ stream: head.stream, run: head.run });

export type ChunkReply = z.infer<typeof chunkReplySchema>;

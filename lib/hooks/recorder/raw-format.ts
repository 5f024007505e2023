import { z } from 'zod';
import { errorInfoSchema } from '../../events/parts/error-info.ts';
import { messageSchema } from '../../events/parts/message.ts';
import { runInfoSchema } from '../../events/parts/run-info.ts';
import { toolResultSchema } from '../../events/parts/tool-result.ts';
import { modelChunkSchema } from '../../pipeline/define/model.ts';

export const RAW_VERSION = 1;

/** The first line of the raw input of a recording. */
export const rawHeadSchema = z.strictObject({
  format: z.literal('hookline-raw-input'),
  version: z.int().positive(),
  run: runInfoSchema,
});

const of = { run: z.string(), time: z.number() };
/** Position of the request in the run, from 0. */
const request = z.int().nonnegative();
const error = errorInfoSchema.exactOptional();

/** What a run received, before any hook: its messages, and each output of its model and tools when it came. */
export const rawLineSchema = z.discriminatedUnion('raw', [
  z.strictObject({ raw: z.literal('input'), ...of, messages: z.array(messageSchema) }),
  /** The messages of the first model request. */
  z.strictObject({ raw: z.literal('conversation'), ...of, messages: z.array(messageSchema) }),
  /** A request was sent to the model. Its chunks follow until its end. */
  z.strictObject({ raw: z.literal('request'), ...of, request }),
  z.strictObject({ raw: z.literal('chunk'), ...of, request, chunk: modelChunkSchema }),
  z.strictObject({ raw: z.literal('answered'), ...of, request, error }),
  /** A tool was started. Its output follows until its end. A call that a hook repeats is started several times. */
  z.strictObject({ raw: z.literal('call'), ...of, toolCallId: z.string() }),
  z.strictObject({
    raw: z.literal('output'),
    ...of,
    toolCallId: z.string(),
    item: z.union([z.string(), toolResultSchema]),
  }),
  z.strictObject({ raw: z.literal('returned'), ...of, toolCallId: z.string(), error }),
]);

export type RawLine = z.infer<typeof rawLineSchema>;

export function rawPathOf(recording: string): string {
  return `${recording.replace(/\.jsonl$/, '')}.raw`;
}

import type { Observable } from 'rxjs';
import { z } from 'zod';
import { finishReasonSchema } from '../../events/parts/finish-reason.ts';
import { messageSchema } from '../../events/parts/message.ts';
import { modelOptionsSchema } from '../../events/parts/model-options.ts';
import { toolCallSchema } from '../../events/parts/tool-call.ts';
import { toolDescriptionSchema } from '../../events/parts/tool-description.ts';
import { usageSchema } from '../../events/parts/usage.ts';
import { jsonObjectSchema } from '../../events/values/json-value.ts';

/** The request to a model: the messages settled in preReasoning, the tools and the options. */
export const modelRequestSchema = z.strictObject({
  messages: z.array(messageSchema).readonly(),
  tools: z.array(toolDescriptionSchema).readonly(),
  model: z.string().exactOptional(),
  options: modelOptionsSchema,
});

/** Index of the message part of a chunk. If a model omits it, each change of the part's type starts a new block. */
const block = z.int().nonnegative().exactOptional();
/** Provider data to return with the part, such as a thinking signature. */
const metadata = jsonObjectSchema.exactOptional();

/**
 * The stream of a model. `toolInput` is for display only; `toolCall` carries the complete call. A call without `toolCall` is dropped. `finish` comes
 * at most once. A failure is an error of the stream.
 */
export const modelChunkSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), delta: z.string(), block, metadata }),
  z.strictObject({ type: z.literal('thinking'), delta: z.string(), block, metadata }),
  z.strictObject({ type: z.literal('toolInput'), toolCallId: z.string(), delta: z.string(), block }),
  z.strictObject({ type: z.literal('toolCall'), toolCall: toolCallSchema, block, metadata }),
  z.strictObject({ type: z.literal('blockEnd'), block: z.int().nonnegative(), metadata }),
  z.strictObject({ type: z.literal('finish'), finishReason: finishReasonSchema, usage: usageSchema.exactOptional() }),
]);

/** The request to a model: messages, tools and options. */
export type ModelRequest = z.infer<typeof modelRequestSchema>;
/** A chunk of a model's answer. */
export type ModelChunk = z.infer<typeof modelChunkSchema>;

/** The second argument of a model. `signal` aborts when the answer is no longer needed. */
export interface ModelContext {
  readonly signal: AbortSignal;
}

/**
 * The port to a language model. An async iterable is pulled when the hooks are idle; an Observable pushes. `modelId` is the default of
 * `PreReasoning.model`.
 */
export interface Model {
  (request: ModelRequest, context: ModelContext): Observable<ModelChunk> | AsyncIterable<ModelChunk>;
  readonly modelId?: string;
}

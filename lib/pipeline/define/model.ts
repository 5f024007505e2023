import type { Observable } from 'rxjs';
import { z } from 'zod';
import { messageSchema } from '../../events/parts/message.ts';
import { modelOptionsSchema } from '../../events/parts/model-options.ts';
import { toolCallSchema } from '../../events/parts/tool-call.ts';
import { toolDescriptionSchema } from '../../events/parts/tool-description.ts';
import { usageSchema } from '../../events/parts/usage.ts';
import { finishReasonSchema } from '../../events/post-reasoning.ts';
import { jsonObjectSchema } from '../../events/values/json-value.ts';

/** What a model is asked: the messages as they settled in preReasoning, the tools it may call, and how. */
export const modelRequestSchema = z.strictObject({
  messages: z.array(messageSchema).readonly(),
  tools: z.array(toolDescriptionSchema).readonly(),
  model: z.string().exactOptional(),
  options: modelOptionsSchema,
});

/** Index of the message part a chunk belongs to. A model that leaves it out gets a new block whenever the kind of part changes. */
const block = z.int().nonnegative().exactOptional();
/** Provider data to be sent back with the part (a thinking signature, say). */
const metadata = jsonObjectSchema.exactOptional();

/**
 * What a model streams. `toolInput` is for screens only; the call itself comes whole, as `toolCall`. A call that never came
 * whole is dropped. `finish` comes at most once; a failure is an error of the stream.
 */
export const modelChunkSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), delta: z.string(), block, metadata }),
  z.strictObject({ type: z.literal('thinking'), delta: z.string(), block, metadata }),
  z.strictObject({ type: z.literal('toolInput'), toolCallId: z.string(), delta: z.string(), block }),
  z.strictObject({ type: z.literal('toolCall'), toolCall: toolCallSchema, block, metadata }),
  z.strictObject({ type: z.literal('blockEnd'), block: z.int().nonnegative(), metadata }),
  z.strictObject({ type: z.literal('finish'), finishReason: finishReasonSchema, usage: usageSchema.exactOptional() }),
]);

/** What a model is asked: messages, tools and options. */
export type ModelRequest = z.infer<typeof modelRequestSchema>;
/** A piece of what a model answers. */
export type ModelChunk = z.infer<typeof modelChunkSchema>;

/** What a model is given beside the request. `signal` aborts when the answer is no longer wanted. */
export interface ModelContext {
  readonly signal: AbortSignal;
}

/**
 * The port to a language model. An async iterable is pulled when the hooks are idle; an Observable pushes. `modelId` is the default
 * of `PreReasoning.model`.
 */
export interface Model {
  (request: ModelRequest, context: ModelContext): Observable<ModelChunk> | AsyncIterable<ModelChunk>;
  readonly modelId?: string;
}

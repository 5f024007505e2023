import { z } from 'zod';
import { jsonObjectSchema } from '../values/json-value.ts';
import { toolCallSchema } from './tool-call.ts';
import { toolResultSchema } from './tool-result.ts';

/** Provider data that must travel back with a part (a thinking signature, say); opaque to Hookline. */
const metadata = jsonObjectSchema.exactOptional();

export const textPartSchema = z.strictObject({ type: z.literal('text'), text: z.string(), metadata });
export const thinkingPartSchema = z.strictObject({ type: z.literal('thinking'), text: z.string(), metadata });
/** `url` is `https:`, `data:` or `media://id` (resolved through the host's MediaStore). */
export const mediaPartSchema = z.strictObject({
  type: z.literal('media'),
  url: z.string(),
  mediaType: z.string().exactOptional(),
  metadata,
});
export const toolCallPartSchema = z.strictObject({ type: z.literal('toolCall'), toolCall: toolCallSchema, metadata });
export const toolResultPartSchema = z.strictObject({
  type: z.literal('toolResult'),
  toolCallId: z.string(),
  toolName: z.string(),
  result: toolResultSchema,
});

const partsUnion = z.discriminatedUnion('type', [
  textPartSchema,
  thinkingPartSchema,
  mediaPartSchema,
  toolCallPartSchema,
  toolResultPartSchema,
]);

/** Schema of a `MessagePart`. */
export const messagePartSchema: z.ZodType<MessagePart> = partsUnion;

/** A provider-neutral chat message. `origin` names the hook that injected it. */
const messageFields = z.strictObject({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  parts: z.array(messagePartSchema).readonly(),
  origin: z.string().exactOptional(),
});

/** Schema of a `Message`. */
export const messageSchema: z.ZodType<Message> = messageFields;

/** What stands for the model's answer. Another role there would make a transcript that most models refuse. */
export const assistantMessageSchema = messageSchema.refine(({ role }) => role === 'assistant', {
  path: ['role'],
  message: 'must be assistant; make the message with assistantMessage(..)',
});

/** Text in a message. */
export type TextPart = { readonly [K in keyof z.infer<typeof textPartSchema>]: z.infer<typeof textPartSchema>[K] };
/** What the model thought, where it tells. */
export type ThinkingPart = {
  readonly [K in keyof z.infer<typeof thinkingPartSchema>]: z.infer<typeof thinkingPartSchema>[K];
};
/** An image, a sound or a file in a message. */
export type MediaPart = { readonly [K in keyof z.infer<typeof mediaPartSchema>]: z.infer<typeof mediaPartSchema>[K] };
/** A tool call that the model asks for. */
export type ToolCallPart = {
  readonly [K in keyof z.infer<typeof toolCallPartSchema>]: z.infer<typeof toolCallPartSchema>[K];
};
/** What a tool call came to, as the model is told. */
export type ToolResultPart = {
  readonly [K in keyof z.infer<typeof toolResultPartSchema>]: z.infer<typeof toolResultPartSchema>[K];
};
/** One part of a message; `type` says which. */
export type MessagePart = TextPart | ThinkingPart | MediaPart | ToolCallPart | ToolResultPart;
/** A message of the transcript: a role, and parts in order. */
export type Message = { readonly [K in keyof z.infer<typeof messageFields>]: z.infer<typeof messageFields>[K] };
/** Who a message is from. */
export type MessageRole = Message['role'];

/** What stands for a message where one is asked for: the message, or its text. */
export type MessageInput = Message | string;

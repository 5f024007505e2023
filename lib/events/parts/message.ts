import { z } from 'zod';
import { jsonObjectSchema } from '../values/json-value.ts';
import { toolCallSchema } from './tool-call.ts';
import { toolResultSchema } from './tool-result.ts';

/** Provider data that must be returned with a part, such as a thinking signature. Hookline does not read it. */
const metadata = jsonObjectSchema.exactOptional();

const textPartSchema = z.strictObject({ type: z.literal('text'), text: z.string(), metadata });
const thinkingPartSchema = z.strictObject({ type: z.literal('thinking'), text: z.string(), metadata });
/** `url` is `https:`, `data:` or `media://id` (resolved by the host's MediaStore). */
const mediaPartSchema = z.strictObject({
  type: z.literal('media'),
  url: z.string(),
  mediaType: z.string().exactOptional(),
  metadata,
});
const toolCallPartSchema = z.strictObject({ type: z.literal('toolCall'), toolCall: toolCallSchema, metadata });
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

/** A provider-neutral chat message. `origin` is the hook that injected it. */
const messageFields = z.strictObject({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  parts: z.array(messagePartSchema).readonly(),
  origin: z.string().exactOptional(),
});

/** Schema of a `Message`. */
export const messageSchema: z.ZodType<Message> = messageFields;

/** Replaces the model's answer. Another role would make a transcript that most models reject. */
export const assistantMessageSchema = messageSchema.refine(({ role }) => role === 'assistant', {
  path: ['role'],
  message: 'must be assistant; make the message with assistantMessage(..)',
});

/** Text in a message. */
export type TextPart = { readonly [K in keyof z.infer<typeof textPartSchema>]: z.infer<typeof textPartSchema>[K] };
/** Thinking of the model, if it is available. */
export type ThinkingPart = {
  readonly [K in keyof z.infer<typeof thinkingPartSchema>]: z.infer<typeof thinkingPartSchema>[K];
};
/** An image, audio or file in a message. */
export type MediaPart = { readonly [K in keyof z.infer<typeof mediaPartSchema>]: z.infer<typeof mediaPartSchema>[K] };
/** A tool call that the model requests. */
export type ToolCallPart = {
  readonly [K in keyof z.infer<typeof toolCallPartSchema>]: z.infer<typeof toolCallPartSchema>[K];
};
/** The result of a tool call, as the model receives it. */
export type ToolResultPart = {
  readonly [K in keyof z.infer<typeof toolResultPartSchema>]: z.infer<typeof toolResultPartSchema>[K];
};
/** One part of a message, distinguished by `type`. */
export type MessagePart = TextPart | ThinkingPart | MediaPart | ToolCallPart | ToolResultPart;
/** A message of the transcript: a role and ordered parts. */
export type Message = { readonly [K in keyof z.infer<typeof messageFields>]: z.infer<typeof messageFields>[K] };
/** Sender of a message. */
export type MessageRole = Message['role'];

/** A message, or its text. */
export type MessageInput = Message | string;

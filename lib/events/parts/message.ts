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
type PartsUnion = typeof partsUnion;
// Named, since what is declared of other schemas would spell it out at each place.
export interface MessagePartSchema extends PartsUnion {}

/** Schema of a `MessagePart`. */
export const messagePartSchema: MessagePartSchema = partsUnion;

/** A provider-neutral chat message. `origin` names the hook that injected it. */
export const messageSchema = z.strictObject({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  parts: z.array(messagePartSchema).readonly(),
  origin: z.string().exactOptional(),
});

/** What stands for the model's answer. Another role there would make a transcript that most models refuse. */
export const assistantMessageSchema = messageSchema.refine(({ role }) => role === 'assistant', {
  path: ['role'],
  message: 'must be assistant; make the message with assistantMessage(..)',
});

/** Text in a message. */
export type TextPart = z.infer<typeof textPartSchema>;
/** What the model thought, where it tells. */
export type ThinkingPart = z.infer<typeof thinkingPartSchema>;
/** An image, a sound or a file in a message. */
export type MediaPart = z.infer<typeof mediaPartSchema>;
/** A tool call that the model asks for. */
export type ToolCallPart = z.infer<typeof toolCallPartSchema>;
/** What a tool call came to, as the model is told. */
export type ToolResultPart = z.infer<typeof toolResultPartSchema>;
/** One part of a message; `type` says which. */
export type MessagePart = z.infer<typeof messagePartSchema>;
/** A message of the transcript: a role, and parts in order. */
export type Message = z.infer<typeof messageSchema>;
/** Who a message is from. */
export type MessageRole = Message['role'];

/** What stands for a message where one is asked for: the message, or its text. */
export type MessageInput = Message | string;

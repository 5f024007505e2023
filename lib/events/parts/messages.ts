import type { Message, MessageInput, MessagePart, MessageRole } from './message.ts';
import type { ToolCall } from './tool-call.ts';

/** A message of one text part. */
export function textMessage(role: MessageRole, text: string): Message {
  return { role, parts: [{ type: 'text', text }] };
}

/** A system message of one text part. */
export const systemMessage = (text: string): Message => textMessage('system', text);

/** A user message of one text part. */
export const userMessage = (text: string): Message => textMessage('user', text);

/** An assistant message of one text part. */
export const assistantMessage = (text: string): Message => textMessage('assistant', text);

/** `input` as a message; a string becomes a text message of `role`. */
export function toMessage(input: MessageInput, role: MessageRole): Message {
  return typeof input === 'string' ? textMessage(role, input) : input;
}

/** All text of a message, joined; thinking, media, calls and results are left out. */
export function textOf(message: Message | undefined): string {
  return message?.parts.map((part) => (part.type === 'text' ? part.text : '')).join('') ?? '';
}

/** The tool calls of a message, in order. */
export function toolCallsOf(message: Message | undefined): readonly ToolCall[] {
  return message?.parts.flatMap((part) => (part.type === 'toolCall' ? [part.toolCall] : [])) ?? [];
}

/** The message with another text in the place of its first one, and without the others; without a text, without any. */
export function withMessageText(message: Message, text?: string): Message {
  const at = message.parts.findIndex(({ type }) => type === 'text');
  const parts = message.parts.flatMap((part, place): MessagePart[] =>
    part.type !== 'text' ? [part] : place === at && text !== undefined ? [{ ...part, text }] : [],
  );
  return { ...message, parts };
}

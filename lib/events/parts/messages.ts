import type { Message, MessageInput, MessagePart, MessageRole } from './message.ts';
import type { ToolCall } from './tool-call.ts';

/** Creates a message with one text part. */
export function textMessage(role: MessageRole, text: string): Message {
  return { role, parts: [{ type: 'text', text }] };
}

/** Creates a system message with one text part. */
export const systemMessage = (text: string): Message => textMessage('system', text);

/** Creates a user message with one text part. */
export const userMessage = (text: string): Message => textMessage('user', text);

/** Creates an assistant message with one text part. */
export const assistantMessage = (text: string): Message => textMessage('assistant', text);

/** Converts `input` to a message. A string becomes a text message of `role`. */
export function toMessage(input: MessageInput, role: MessageRole): Message {
  return typeof input === 'string' ? textMessage(role, input) : input;
}

/** Returns the joined text of a message, without thinking, media, calls and results. */
export function textOf(message: Message | undefined): string {
  return message?.parts.map((part) => (part.type === 'text' ? part.text : '')).join('') ?? '';
}

/** Returns the joined thinking of a message. */
export function thinkingOf({ parts }: Message): string {
  return parts.map((part) => (part.type === 'thinking' ? part.text : '')).join('');
}

/** Returns the tool calls of a message, in order. */
export function toolCallsOf(message: Message | undefined): readonly ToolCall[] {
  const calls: ToolCall[] = [];
  for (const part of message?.parts ?? []) if (part.type === 'toolCall') calls.push(part.toolCall);
  return calls;
}

/** Returns the message with its first text replaced and other texts removed. Without a new text, all texts are removed. */
export function withMessageText(message: Message, text?: string): Message {
  const at = message.parts.findIndex(({ type }) => type === 'text');
  const parts = message.parts.flatMap((part, place): MessagePart[] =>
    part.type !== 'text' ? [part] : place === at && text !== undefined ? [{ ...part, text }] : [],
  );
  return { ...message, parts };
}

/** Whether a message is from the user. Hooks inject messages in the role of the user, which have an `origin`. */
export function isPrompt({ role, origin }: Message): boolean {
  return role === 'user' && origin === undefined;
}

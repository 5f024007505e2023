import type { Message, MessagePart } from '../../events/parts/message.ts';

/** The message with another text in the place of its first one, and without the others; without a text, without any. */
export function withMessageText(message: Message, text?: string): Message {
  const at = message.parts.findIndex(({ type }) => type === 'text');
  const parts = message.parts.flatMap((part, place): MessagePart[] =>
    part.type !== 'text' ? [part] : place === at && text !== undefined ? [{ ...part, text }] : [],
  );
  return { ...message, parts };
}

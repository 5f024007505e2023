import { z } from 'zod';
import { HooklineError } from '../errors.ts';
import { type Message, type MessageInput, messageSchema } from '../events/parts/message.ts';
import { toMessage } from '../events/parts/messages.ts';

/** Validates a message. A string becomes a user message. Throws `INPUT_INVALID` with `where` in the message. */
export function checkMessage(input: MessageInput, where: string): Message {
  const checked = messageSchema.safeParse(toMessage(input, 'user'));
  if (checked.success) return checked.data;
  throw new HooklineError('INPUT_INVALID', `${where} must be a string or a message: ${z.prettifyError(checked.error)}`);
}

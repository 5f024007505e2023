import { z } from 'zod';
import { HooklineError } from '../errors.ts';
import { type Message, type MessageInput, messageSchema } from '../events/parts/message.ts';
import { toMessage } from '../events/parts/messages.ts';

/** What somebody gave for a message, as one; a string is the user's. A misfit is `INPUT_INVALID`, which says `where` it came. */
export function checkMessage(input: MessageInput, where: string): Message {
  const checked = messageSchema.safeParse(toMessage(input, 'user'));
  if (checked.success) return checked.data;
  throw new HooklineError(
    'INPUT_INVALID',
    `${where} is neither a text nor a message: ${z.prettifyError(checked.error)}`,
  );
}

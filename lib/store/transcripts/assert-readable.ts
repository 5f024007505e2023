import { z } from 'zod';
import { HooklineError } from '../../errors.ts';
import { type Message, messageSchema } from '../../events/parts/message.ts';

/** Rejects messages that a store could not read again, because one of them would make the whole session unreadable. */
export function assertReadable(messages: readonly Message[], place: string): void {
  for (const [index, message] of messages.entries()) {
    const line = JSON.stringify(message) as string | undefined;
    const parsed = messageSchema.safeParse(line && JSON.parse(line));
    if (parsed.success) continue;
    throw new HooklineError(
      'TRANSCRIPT_FAILED',
      `${place}: nothing was written, because message ${index} to append is invalid: ${z.prettifyError(parsed.error)}`,
    );
  }
}

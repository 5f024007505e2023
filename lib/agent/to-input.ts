import { z } from 'zod';
import { HooklineError } from '../errors.ts';
import { type Message, messageSchema } from '../events/message.ts';
import { toMessage } from '../events/messages.ts';
import type { AgentInput } from './agent.ts';

/** What a run is given, as messages; strings are the user's. A misfit is `INPUT_INVALID`. */
export function toInput(input: AgentInput): readonly Message[] {
  const list = Array.isArray(input) ? (input as readonly (Message | string)[]) : [input as Message | string];
  return list.map((one, index) => {
    const checked = messageSchema.safeParse(toMessage(one, 'user'));
    if (checked.success) return checked.data;
    throw new HooklineError(
      'INPUT_INVALID',
      `agent.run(input): message ${index} is neither a text nor a message: ${z.prettifyError(checked.error)}`,
    );
  });
}

import type { Message } from '../events/parts/message.ts';
import { isPrompt, textOf } from '../events/parts/messages.ts';

/** The messages of the first model request of a run, by where they came from. */
export interface RecordedConversation {
  readonly instructions: string | undefined;
  /** The messages after the instructions. */
  readonly messages: readonly Message[];
  /** The conversation before the input of the run. */
  readonly history: readonly Message[];
  /** Messages of users after the input. */
  readonly later: readonly Message[];
}

/** Splits the messages of a request at the input of its run. `inputs` are forms in which it may be there. */
export function conversationOf(
  request: readonly Message[],
  inputs: readonly (readonly Message[])[],
): RecordedConversation {
  const system = request[0]?.role === 'system' ? request[0] : undefined;
  const messages = system ? request.slice(1) : request;
  const instructions = system && textOf(system);
  for (const input of inputs) {
    if (input.length === 0) continue;
    const begin = JSON.stringify(input[0]);
    const at = messages.findLastIndex((one) => JSON.stringify(one) === begin);
    if (at < 0) continue;
    const later = messages.slice(at + input.length).filter(isPrompt);
    return { instructions, messages, history: messages.slice(0, at), later };
  }
  const history = inputs.every((input) => input.length === 0) ? messages : [];
  return { instructions, messages, history, later: [] };
}

import type { Message, MessageInput } from '../events/parts/message.ts';
import type { AgentInput } from './agent.ts';
import { checkMessage } from './check-message.ts';

/** What a run is given, as messages; strings are the user's. A misfit is `INPUT_INVALID`. */
export function toInput(input: AgentInput): readonly Message[] {
  const list = Array.isArray(input) ? (input as readonly MessageInput[]) : [input as MessageInput];
  return list.map((one, index) => checkMessage(one, `agent.run(input): message ${index}`));
}

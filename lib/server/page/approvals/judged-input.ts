import type { Message } from '../../../events/parts/message.ts';
import { toolCallsOf } from '../../../events/parts/messages.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';

/** Returns the input of a call as the model requested it, from the preceding events; undefined if they do not contain it. */
export function judgedInput(events: readonly JsonObject[], toolCallId: string): JsonObject | undefined {
  for (const { type, message } of [...events].reverse()) {
    if (type !== 'postReasoning') continue;
    const call = toolCallsOf(message as unknown as Message).find(({ id }) => id === toolCallId);
    if (call) return call.input as JsonObject;
  }
  return undefined;
}

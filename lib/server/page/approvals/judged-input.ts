import type { Message } from '../../../events/parts/message.ts';
import { toolCallsOf } from '../../../events/parts/messages.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';

/** The input of a call as the model asked for it, of the events that tell how it came about; undefined where they do not. */
export function judgedInput(events: readonly JsonObject[], toolCallId: string): JsonObject | undefined {
  for (const { type, message } of [...events].reverse()) {
    if (type !== 'postReasoning') continue;
    const call = toolCallsOf(message as unknown as Message).find(({ id }) => id === toolCallId);
    if (call) return call.input as JsonObject;
  }
  return undefined;
}

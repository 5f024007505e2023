import type { Message, ToolResultPart } from '../../events/parts/message.ts';
import { toolCallsOf } from '../../events/parts/messages.ts';
import type { ToolCall } from '../../events/parts/tool-call.ts';
import { errorResult, type ToolResult } from '../../events/parts/tool-result.ts';

const ABANDONED =
  'The call was left open (its run was suspended or cut off) and has not been resumed; whether it had any effect is unknown.';

/** Returns the part of a tool message with the result of a call. */
export function resultPart(call: ToolCall, result: ToolResult): ToolResultPart {
  return { type: 'toolResult', toolCallId: call.id, toolName: call.name, result };
}

/** Returns the message with the results of a batch, which are in call order. */
export function toolMessage(parts: readonly ToolResultPart[]): Message {
  return { role: 'tool', parts };
}

/** Returns the message with the results of a batch in the order of the calls of `message`. */
export function resultsMessage(message: Message, parts: readonly ToolResultPart[]): Message {
  const order = new Map(toolCallsOf(message).map(({ id }, place) => [id, place]));
  const placeOf = ({ toolCallId }: ToolResultPart) => order.get(toolCallId) ?? -1;
  return toolMessage([...parts].sort((a, b) => placeOf(a) - placeOf(b)));
}

/**
 * Returns the messages with a result for every tool call. A call without one (its run was suspended and never resumed, or crashed) gets an error
 * result with `why`, because models reject unanswered calls. Other messages keep their identity.
 */
export function closeOrphans(messages: readonly Message[], why = ABANDONED): readonly Message[] {
  const closed: Message[] = [];
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index] as Message;
    closed.push(message);
    const calls = message.role === 'assistant' ? toolCallsOf(message) : [];
    if (calls.length === 0) continue;
    const next = messages[index + 1];
    const answers = next?.role === 'tool' ? next.parts.filter((part) => part.type === 'toolResult') : [];
    const known = new Map(answers.map((part) => [part.toolCallId, part]));
    if (calls.every(({ id }) => known.has(id))) continue;
    closed.push(toolMessage(calls.map((call) => known.get(call.id) ?? resultPart(call, errorResult(why)))));
    if (answers.length > 0) index += 1;
  }
  return closed;
}

import type { Message } from '../../events/parts/message.ts';
import { textOf } from '../../events/parts/messages.ts';
import type { ToolCall } from '../../events/parts/tool-call.ts';
import { editedFields, type Origin } from './edited-message.ts';
import type { HostLangChain, HostMessage } from './host-langchain.ts';

/**
 * Converts a message of Hookline. A message with tool results becomes one message for each result. A changed message keeps the unchanged fields of
 * its origin.
 */
export function toHostMessages(langchain: HostLangChain, message: Message, origin?: Origin): HostMessage[] {
  const results = message.parts.flatMap((part) => (part.type === 'toolResult' ? [part] : []));
  if (message.role === 'tool')
    return results.map(({ toolCallId, toolName, result }) => {
      const status = result.isError ? 'error' : 'success';
      return new langchain.ToolMessage({ content: result.content, tool_call_id: toolCallId, name: toolName, status });
    });
  const edited = origin && editedFields(origin, message);
  if (message.role === 'system') return [new langchain.SystemMessage(edited ?? { content: textOf(message) })];
  if (message.role === 'user') return [new langchain.HumanMessage(edited ?? { content: userContent(message) })];
  const calls = message.parts.flatMap((part) => (part.type === 'toolCall' ? [toHostCall(part.toolCall)] : []));
  return [new langchain.AIMessage({ ...(edited ?? { content: textOf(message) }), tool_calls: calls })];
}

/** Arguments that are not an object stay as they are. No call may run with other arguments instead. */
export function toHostCall({ id, name, input, inputError }: ToolCall): object {
  return { id, name, args: inputError ?? input, type: 'tool_call' };
}

function userContent(message: Message): string | object[] {
  if (message.parts.every(({ type }) => type === 'text')) return textOf(message);
  return message.parts.flatMap((part): object[] => {
    if (part.type === 'media') return [{ type: 'image_url', image_url: { url: part.url } }];
    return part.type === 'text' ? [{ type: 'text', text: part.text }] : [];
  });
}

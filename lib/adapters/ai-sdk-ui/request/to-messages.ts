import type { ClientResult } from '../../../chat/chat-request.ts';
import type { Message, MessagePart } from '../../../events/parts/message.ts';
import type { ToolResult } from '../../../events/parts/tool-result.ts';
import { isObject } from '../../../events/values/is-object.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import { isPendingOutput } from '../pending-output.ts';
import { isFileUrl, type UiMessage, type UiPart } from './ui-message.ts';

/**
 * Converts messages of `useChat`. Each step of a reply becomes a message, and the results of its tools another one. Files with unsupported URLs are
 * omitted.
 */
export function toMessages(messages: readonly UiMessage[]): readonly Message[] {
  return messages.flatMap(({ role, parts }) => {
    if (role !== 'assistant') return [{ role, parts: parts.flatMap((part) => toPart(part) ?? []) }];
    return stepsOf(parts).flatMap(toStep);
  });
}

/** Returns the client's results for the calls in a message. */
export function resultsOf({ parts }: UiMessage): readonly ClientResult[] {
  return parts.flatMap((part) => {
    const result = resultOf(part);
    return part.toolCallId === undefined ? [] : [{ toolCallId: part.toolCallId, ...(result && { result }) }];
  });
}

/** Returns the model's id of a call. The id on the wire has the run as a prefix. */
const callIdOf = (id: string): string => id.slice(id.indexOf('/') + 1);

function stepsOf(parts: readonly UiPart[]): readonly (readonly UiPart[])[] {
  const steps: UiPart[][] = [[]];
  for (const part of parts) {
    if (part.type === 'step-start') steps.push([]);
    else steps.at(-1)?.push(part);
  }
  return steps.filter((step) => step.length > 0);
}

function toStep(step: readonly UiPart[]): readonly Message[] {
  const parts = step.flatMap((part) => toPart(part) ?? []);
  const results = step.flatMap((part): MessagePart[] => {
    const result = resultOf(part);
    const { toolCallId } = part;
    const toolName = toolOf(part);
    if (!result || toolCallId === undefined || toolName === undefined) return [];
    return [{ type: 'toolResult', toolCallId: callIdOf(toolCallId), toolName, result }];
  });
  return [
    ...(parts.length > 0 ? [{ role: 'assistant' as const, parts }] : []),
    ...(results.length > 0 ? [{ role: 'tool' as const, parts: results }] : []),
  ];
}

function toPart(part: UiPart): MessagePart | undefined {
  const { type, text, url, mediaType, toolCallId, input } = part;
  if (type === 'text' && text !== undefined) return { type: 'text', text };
  if (type === 'file') return isFileUrl(url) ? { type: 'media', url, ...(mediaType && { mediaType }) } : undefined;
  const name = toolOf(part);
  if (name === undefined || toolCallId === undefined) return undefined;
  const given = isObject(input) ? (input as JsonObject) : {};
  return { type: 'toolCall', toolCall: { id: callIdOf(toolCallId), name, input: given } };
}

function toolOf({ type, toolName }: UiPart): string | undefined {
  return type === 'dynamic-tool' ? toolName : type.startsWith('tool-') ? type.slice('tool-'.length) : undefined;
}

function resultOf(part: UiPart): ToolResult | undefined {
  const { state, output, errorText = 'The tool failed.' } = part;
  if (toolOf(part) === undefined) return undefined;
  if (state === 'output-error') return { content: errorText, isError: true };
  if (state !== 'output-available' || isPendingOutput(output)) return undefined;
  return { content: typeof output === 'string' ? output : (JSON.stringify(output) ?? ''), isError: false };
}

import type { Message, MessagePart } from '../../events/parts/message.ts';
import type { ToolCall } from '../../events/parts/tool-call.ts';
import { toToolCall } from '../../loops/to-tool-call.ts';
import type { HostBlock, HostMessage, HostToolCall } from './host-langchain.ts';
import { reasoningFields } from './provider-fields.ts';

const roles: Readonly<Record<string, Message['role']>> = {
  ai: 'assistant',
  system: 'system',
  developer: 'system',
  tool: 'tool',
};

/** Converts a message of LangChain. Content without a counterpart (citations, tools of the provider) is left out. */
export function fromHostMessage(message: HostMessage): Message {
  const role = roles[message.getType()] ?? 'user';
  if (role === 'tool') {
    const result = { content: textIn(message), isError: message.status === 'error' };
    const { tool_call_id: toolCallId = '', name: toolName = '' } = message;
    return { role, parts: [{ type: 'toolResult', toolCallId, toolName, result }] };
  }
  const calls = role === 'assistant' ? callsOf(message) : [];
  return { role, parts: [...blocksOf(message).flatMap(toPart), ...calls.map(toCallPart)] };
}

export function readFields(message: HostMessage): unknown {
  const { content, additional_kwargs, response_metadata, tool_calls, tool_call_id, name, status } = message;
  return [message.getType(), content, additional_kwargs, response_metadata, tool_calls, tool_call_id, name, status];
}

/** Returns the blocks of a message and those from its provider-specific fields. */
export function blocksOf(message: HostMessage): readonly HostBlock[] {
  const { before, after } = outsideContent(message);
  return [...before, ...contentOf(message), ...after];
}

/** Returns the blocks from provider-specific fields: thoughts go before the content, text after it. */
export function outsideContent(message: HostMessage): Record<'before' | 'after', readonly HostBlock[]> {
  const blocks = contentOf(message);
  const extraFields = message.additional_kwargs ?? {};
  const { refusal, audio } = extraFields;
  const transcript = (audio as { readonly transcript?: unknown } | undefined)?.transcript;
  const content = blocks
    .map((block) => String(block['text'] ?? block['reasoning'] ?? block['thinking'] ?? ''))
    .join('');
  const isNew = (text: unknown): text is string => typeof text === 'string' && !content.includes(text);
  return {
    before: reasoningFields(extraFields).filter(({ reasoning }) => isNew(reasoning)),
    after: [refusal, transcript].filter(isNew).map((text) => ({ type: 'text', text })),
  };
}

/** For replies of a model, LangChain's standard blocks. */
function contentOf(message: HostMessage): readonly HostBlock[] {
  const { content } = message;
  const standard = message.getType() === 'ai' ? message.contentBlocks : undefined;
  if (standard?.some(({ type }) => type !== 'text')) return standard;
  if (typeof content !== 'string') return standard ?? content;
  return content === '' ? [] : [{ type: 'text', text: content }];
}

/** Returns the calls of a message. A call without an id from the provider gets a generated one. */
export function callsOf({ tool_calls: calls = [] }: HostMessage): ToolCall[] {
  return calls.map(toCall);
}

export function toCall({ id, name, args }: HostToolCall): ToolCall {
  return toToolCall(id ?? globalThis.crypto.randomUUID(), name, args);
}

/** Returns the text of a message. Content with other blocks than text is returned as JSON. */
export function textIn({ content }: HostMessage): string {
  if (typeof content === 'string') return content;
  if (content.every(({ type }) => type === 'text')) return content.map(({ text }) => String(text)).join('');
  return JSON.stringify(content);
}

/** Converts text, thinking and media. Providers differ in the names of the fields. */
export function toPart(block: HostBlock): MessagePart[] {
  if (block.type === 'text') return [{ type: 'text', text: String(block['text'] ?? '') }];
  if (block.type === 'reasoning' || block.type === 'thinking')
    return [{ type: 'thinking', text: String(block['reasoning'] ?? block['thinking'] ?? '') }];
  const url = urlOf(block);
  return url === undefined ? [] : [{ type: 'media', url }];
}

function toCallPart(toolCall: ToolCall): MessagePart {
  return { type: 'toolCall', toolCall };
}

function urlOf(block: HostBlock): string | undefined {
  const image = block['image_url'] as { readonly url?: unknown } | string | undefined;
  const url = typeof image === 'string' ? image : (image?.url ?? block['url']);
  if (typeof url === 'string') return url;
  if (typeof block['data'] !== 'string') return undefined;
  return `data:${block['mimeType'] ?? block['mime_type'] ?? 'application/octet-stream'};base64,${block['data']}`;
}

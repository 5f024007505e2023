import type { Message, MessagePart } from '../../events/parts/message.ts';
import type { ToolCall } from '../../events/parts/tool-call.ts';
import { toToolCall } from '../../loops/to-tool-call.ts';
import { thoughtsBeside } from './beside.ts';
import type { HostBlock, HostMessage, HostToolCall } from './host-langchain.ts';

const roles: Readonly<Record<string, Message['role']>> = {
  ai: 'assistant',
  system: 'system',
  developer: 'system',
  tool: 'tool',
};

/** A message of LangChain as hooks see it. What has no counterpart (citations, a provider's own tools) is left out. */
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

/** The blocks of a message, and what its provider says beside them. */
export function blocksOf(message: HostMessage): readonly HostBlock[] {
  const { before, after } = besideContent(message);
  return [...before, ...contentOf(message), ...after];
}

/** What the provider of a message says beside its content: thoughts, which come first, and text. */
export function besideContent(message: HostMessage): Record<'before' | 'after', readonly HostBlock[]> {
  const blocks = contentOf(message);
  const beside = message.additional_kwargs ?? {};
  const { refusal, audio } = beside;
  const transcript = (audio as { readonly transcript?: unknown } | undefined)?.transcript;
  const said = blocks.map((block) => String(block['text'] ?? block['reasoning'] ?? block['thinking'] ?? '')).join('');
  const isNew = (text: unknown): text is string => typeof text === 'string' && !said.includes(text);
  return {
    before: thoughtsBeside(beside).filter(({ reasoning }) => isNew(reasoning)),
    after: [refusal, transcript].filter(isNew).map((text) => ({ type: 'text', text })),
  };
}

/** Those of a model in the words that LangChain has for all providers. */
function contentOf(message: HostMessage): readonly HostBlock[] {
  const { content } = message;
  const standard = message.getType() === 'ai' ? message.contentBlocks : undefined;
  if (standard?.some(({ type }) => type !== 'text')) return standard;
  if (typeof content !== 'string') return standard ?? content;
  return content === '' ? [] : [{ type: 'text', text: content }];
}

/** The calls of a message; one that its provider has given no id gets one. */
export function callsOf({ tool_calls: calls = [] }: HostMessage): ToolCall[] {
  return calls.map(toCall);
}

export function toCall({ id, name, args }: HostToolCall): ToolCall {
  return toToolCall(id ?? globalThis.crypto.randomUUID(), name, args);
}

/** The text of a message: what it says, or its content as JSON where it is more than text. */
export function textIn({ content }: HostMessage): string {
  if (typeof content === 'string') return content;
  if (content.every(({ type }) => type === 'text')) return content.map(({ text }) => String(text)).join('');
  return JSON.stringify(content);
}

/** Text and thinking of a block, in its own member. */
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

import type { Message, MessagePart } from '../../events/parts/message.ts';
import { fromBase64 } from '../../events/values/base64.ts';
import { toToolCall } from '../../loops/to-tool-call.ts';
import { type HostBlock, type HostMessage, make } from './host-strands.ts';
import type { HostStrands } from './strands-module.ts';

/** Converts the messages of one run for the hooks and back. Messages that no hook changed keep their Strands object. */
export interface Messages {
  fromHost(messages: readonly HostMessage[]): Message[];
  /** Converts messages for the Strands model. System messages are left out. */
  toHost(messages: readonly Message[]): HostMessage[];
  toBlocks(parts: readonly MessagePart[]): HostBlock[];
}

interface Known {
  readonly host: HostMessage;
  /** The messages from one Strands message. Tool results become a message of their own. */
  readonly group: readonly Message[];
}

export function createMessages(strands: HostStrands): Messages {
  const known = new WeakMap<Message, Known>();
  // By content, because a hook that changes a message may copy its other parts.
  const blocks = new Map<string, HostBlock>();
  const names = new Map<string, string>();

  const read = (message: HostMessage): readonly Message[] => {
    const parts = message.content.flatMap((block): MessagePart[] => {
      if (block.type === 'toolUseBlock') names.set(block.toolUseId ?? '', block.name ?? '');
      const part = toPart(block, names);
      if (part) blocks.set(keyOf(part), block);
      return part ? [part] : [];
    });
    const results = parts.filter(({ type }) => type === 'toolResult');
    const rest = parts.filter(({ type }) => type !== 'toolResult');
    const group: Message[] = [
      ...(results.length > 0 ? [{ role: 'tool' as const, parts: results }] : []),
      ...(rest.length > 0 || results.length === 0 ? [{ role: message.role, parts: rest }] : []),
    ];
    for (const one of group) known.set(one, { host: message, group });
    return group;
  };

  const toBlocks = (parts: readonly MessagePart[]): HostBlock[] =>
    parts.flatMap((part) => {
      const own = blocks.get(keyOf(part));
      const data = own ? undefined : toData(part);
      return own ?? (data ? (strands.contentBlockFromData(data) as HostBlock) : []);
    });

  return {
    fromHost: (messages) => messages.flatMap(read),
    toBlocks,
    toHost(messages) {
      const hosts: HostMessage[] = [];
      let changed = false;
      for (let at = 0; at < messages.length; ) {
        const message = messages[at] as Message;
        const { host, group } = known.get(message) ?? { group: [message] };
        const whole = group.every((one, index) => messages[at + index] === one);
        at += whole ? group.length : 1;
        changed ||= !host || !whole;
        const role = message.role === 'assistant' ? 'assistant' : 'user';
        hosts.push(host && whole ? host : make(strands.Message, { role, content: toBlocks(message.parts) }));
      }
      return changed ? merged(strands, hosts) : hosts;
    },
  };
}

function keyOf(part: MessagePart): string {
  return part.type === 'media' ? part.url : JSON.stringify(part);
}

/** Merges consecutive messages of one role, because providers require alternating user and assistant messages. */
function merged(strands: HostStrands, messages: readonly HostMessage[]): HostMessage[] {
  const all: HostMessage[] = [];
  for (const message of messages.filter(({ content }) => content.length > 0)) {
    const last = all.at(-1);
    if (last?.role !== message.role) all.push(message);
    else {
      const content = [...last.content, ...message.content];
      all[all.length - 1] = make(strands.Message, { role: last.role, content });
    }
  }
  return all;
}

/** Returns the text of blocks: text, JSON and text documents. Other media have no text. */
export function textIn(blocks: readonly HostBlock[]): string {
  return blocks
    .flatMap((block) => {
      const { type, text, json } = block;
      if (type === 'textBlock') return [String(text)];
      if (type === 'documentBlock') return textOfDocument(block) ?? [];
      return type === 'jsonBlock' ? [JSON.stringify(json)] : [];
    })
    .join('\n');
}

const TEXTS = ['txt', 'md', 'csv', 'json', 'html', 'xml'];

function textOfDocument({ format = '', source }: HostBlock): string | undefined {
  const { text, content, bytes } = (source ?? {}) as DocumentSource;
  if (text !== undefined) return text;
  if (content) return content.map((one) => one.text).join('\n');
  return bytes && TEXTS.includes(format) ? new TextDecoder().decode(bytes) : undefined;
}

interface DocumentSource {
  readonly text?: string;
  readonly content?: readonly { readonly text: string }[];
  readonly bytes?: Uint8Array;
}

function toPart(block: HostBlock, names: ReadonlyMap<string, string>): MessagePart | undefined {
  const { type, text, toolUseId = '', name = '' } = block;
  if (type === 'textBlock') return { type: 'text', text: String(text) };
  if (type === 'reasoningBlock') return { type: 'thinking', text: String(text ?? '') };
  if (type === 'toolUseBlock') return { type: 'toolCall', toolCall: toToolCall(toolUseId, name, block.input) };
  if (type === 'toolResultBlock') {
    const result = { content: textIn(block.content ?? []), isError: block.status === 'error' };
    return { type: 'toolResult', toolCallId: toolUseId, toolName: names.get(toolUseId) ?? '', result };
  }
  // Text that a provider's guardrail checks, and text with citations.
  if (type === 'guardContentBlock') return { type: 'text', text: String((text as { text?: unknown })?.text ?? '') };
  if (type === 'citationsBlock')
    return { type: 'text', text: (block.content ?? []).map((one) => String(one.text ?? '')).join('') };
  return toMedia(block);
}

interface MediaData {
  readonly format?: string;
  readonly source?: {
    readonly bytes?: string;
    readonly url?: string;
    readonly location?: { readonly uri?: string };
  };
}

function toMedia(block: HostBlock): MessagePart | undefined {
  const [kind, data] = Object.entries(block.toJSON?.() ?? {})[0] ?? [];
  const { format = '', source } = (data ?? {}) as MediaData;
  if (!kind || !source) return undefined;
  const mediaType = `${kind === 'document' ? 'application' : kind}/${format}`;
  const url = source.url ?? source.location?.uri;
  if (url !== undefined) return { type: 'media', url, mediaType };
  if (source.bytes !== undefined) return { type: 'media', url: `data:${mediaType};base64,${source.bytes}`, mediaType };
  return { type: 'media', url: `data:text/plain,${encodeURIComponent(textOfDocument(block) ?? '')}`, mediaType };
}

/** Returns the data from which Strands creates a block for a hook's part. */
function toData(part: MessagePart): object | undefined {
  if (part.type === 'text') return { text: part.text };
  if (part.type === 'thinking') return { reasoning: { text: part.text } };
  if (part.type === 'toolCall') {
    const { id, name, input } = part.toolCall;
    return { toolUse: { toolUseId: id, name, input } };
  }
  if (part.type === 'toolResult') {
    const { content, isError } = part.result;
    const status = isError ? 'error' : 'success';
    return { toolResult: { toolUseId: part.toolCallId, status, content: [{ text: content }] } };
  }
  const format = part.mediaType?.split('/')[1] ?? 'png';
  const [, base64] = /^data:[^,]*;base64,(.*)$/.exec(part.url) ?? [];
  const bytes = base64 === undefined ? undefined : fromBase64(base64);
  return { image: { format, source: bytes ? { bytes } : { url: part.url } } };
}

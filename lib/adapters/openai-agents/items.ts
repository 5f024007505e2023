import type { MediaPart, Message, MessagePart } from '../../events/parts/message.ts';
import type { ToolCall } from '../../events/parts/tool-call.ts';
import { withoutUndefined } from '../../events/values/without-undefined.ts';
import { keepKnown } from '../../loops/keep-known.ts';
import { sourcesOf } from '../../loops/sources-of.ts';
import { type HostItem, toToolCall } from './host-types.ts';

/** Converts between items and messages. Messages that no hook changed keep their own items. */
export interface Items {
  /** Converts the items of a request. Later lookups refer to it. The first `began` items are those of the start of the run. */
  toMessages(items: readonly HostItem[], began?: number): readonly Message[];
  toItems(messages: readonly Message[]): readonly HostItem[];
  /** Returns true if the message is unchanged. */
  has(message: Message): boolean;
  keep(message: Message, items: readonly HostItem[]): void;
}

export function createItems(): Items {
  const known = new WeakMap<Message, readonly HostItem[]>();
  const calls = new Map<string, HostItem>();
  /** The messages of this request, in order. */
  let asked: readonly Message[] = [];

  const fromOne = (item: HostItem): Message => {
    const role = item['role'];
    if (role === 'system') return { role, parts: [{ type: 'text', text: String(item['content']) }] };
    if (role === 'user') return { role, parts: contentsOf(item).map(toUserPart) };
    const toolName = String(item['name']);
    const result = { content: textOfItem(item), isError: false };
    return { role: 'tool', parts: [{ type: 'toolResult', toolCallId: String(item['callId']), toolName, result }] };
  };
  const toPart = (item: HostItem): MessagePart[] => {
    if (item.type === 'function_call') calls.set(String(item['callId']), item);
    const part = toAssistantPart(item);
    return part ? [part] : [];
  };

  const read = keepKnown((group: readonly HostItem[]): Message => {
    const [first] = group;
    return first && isAlone(first) ? fromOne(first) : { role: 'assistant', parts: group.flatMap(toPart) };
  });

  const toItem = (part: MessagePart): HostItem[] => {
    if (part.type === 'text') return [newMessage([part.text])];
    if (part.type === 'thinking') return [newReasoning(part.text)];
    return part.type === 'toolCall' ? [newCall(part.toolCall, calls.get(part.toolCall.id))] : [];
  };
  /** Returns the items of a reply in which hooks changed some parts. Unchanged items, and items that are not parts, stay in place. */
  const changed = (parts: readonly MessagePart[], items: readonly HostItem[]): HostItem[] => {
    const left = items.map((item) => ({ item, part: JSON.stringify(toAssistantPart(item)) }));
    /** Returns the items that are not parts, up to the next part. */
    const silent = (): HostItem[] => {
      const end = left.findIndex(({ part }) => part !== undefined);
      return left.splice(0, end < 0 ? left.length : end).map(({ item }) => item);
    };
    const made = silent();
    for (const part of parts) {
      const json = JSON.stringify(part);
      const at = left.findIndex((one) => one.part === json);
      if (at < 0) made.push(...toItem(part));
      else made.push(...left.splice(0, at).flatMap((one) => (one.part === undefined ? [one.item] : [])));
      if (at >= 0) made.push(...left.splice(0, 1).map(({ item }) => item), ...silent());
    }
    return [...made, ...left.flatMap(({ item, part }) => (part === undefined ? [item] : []))];
  };
  const fromMessage = (message: Message, was: Message | undefined): readonly HostItem[] => {
    const { role, parts } = message;
    if (role === 'assistant') return changed(parts, (was && known.get(was)) ?? []);
    if (role === 'system')
      return [{ role, content: parts.map((part) => (part.type === 'text' ? part.text : '')).join('') }];
    if (role === 'user') return [{ role, content: parts.flatMap(toUserContent) }];
    return parts.flatMap((part) => (part.type === 'toolResult' ? [newResult(part, calls.get(part.toolCallId))] : []));
  };

  return {
    has: (message) => known.has(message),
    keep: (message, items) => void known.set(message, items),
    toItems(messages) {
      if (messages.every((message) => known.has(message)))
        return messages.flatMap((message) => known.get(message) ?? []);
      const sources = sourcesOf(asked, messages);
      return messages.flatMap((message) => known.get(message) ?? fromMessage(message, sources.get(message)));
    },
    toMessages(items, began = items.length) {
      const groups = [...groupsOf(items.slice(0, began)), ...groupsOf(items.slice(began))];
      const messages = read(groups);
      for (const [at, message] of messages.entries())
        if (!known.has(message)) known.set(message, groups[at] as readonly HostItem[]);
      asked = messages;
      return messages;
    },
  };
}

/** Groups the items of each message. The items of one reply become one message, including those without a counterpart. */
function groupsOf(items: readonly HostItem[]): readonly (readonly HostItem[])[] {
  const groups: HostItem[][] = [];
  let reply: HostItem[] | undefined;
  for (const item of items) {
    if (reply && !isAlone(item)) reply.push(item);
    else {
      groups.push([item]);
      reply = isAlone(item) ? undefined : groups.at(-1);
    }
  }
  return groups;
}

/** Returns true if the item is a message on its own, and not a part of a reply. */
function isAlone(item: HostItem): boolean {
  return item['role'] === 'user' || item['role'] === 'system' || item.type === 'function_call_result';
}

/** Converts an item of the model to a part. Returns `undefined` if the provider runs it, or if it has no counterpart. */
export function toAssistantPart(item: HostItem): MessagePart | undefined {
  if (item.type === 'function_call')
    return {
      type: 'toolCall',
      toolCall: toToolCall(String(item['callId']), String(item['name']), String(item['arguments'])),
    };
  if (item.type === 'reasoning') return { type: 'thinking', text: textOfItem(item) };
  return isMessage(item) ? { type: 'text', text: textOfItem(item) } : undefined;
}

export function isMessage(item: HostItem): boolean {
  return item['role'] === 'assistant';
}

/** Returns the text of a message, of reasoning and its summary, or of a tool result. */
export function textOfItem(item: HostItem): string {
  const texts = [item['content'] ?? item['output'], item['rawContent']].map((content) =>
    listOf(content)
      .map((one) => String(one['text'] ?? one['refusal'] ?? one['transcript'] ?? ''))
      .join(''),
  );
  return [...new Set(texts)].filter((text) => text !== '').join('\n');
}

function contentsOf(item: HostItem): readonly HostItem[] {
  return listOf(item['content'] ?? item['output']);
}

function listOf(content: unknown): readonly HostItem[] {
  if (typeof content === 'string') return [{ type: 'input_text', text: content }];
  return (Array.isArray(content) ? content : content ? [content] : []) as readonly HostItem[];
}

export function newMessage(texts: readonly string[]): HostItem {
  const content = texts.map((text) => ({ type: 'output_text', text }));
  return { type: 'message', role: 'assistant', status: 'completed', content };
}

export function newReasoning(text: string): HostItem {
  return { type: 'reasoning', content: [{ type: 'input_text', text }] };
}

/** Returns a changed call. Provider data is dropped, because it may contain the original call. */
export function newCall({ id, name, input, inputError }: ToolCall, own?: HostItem): HostItem {
  const { providerData: _, ...rest } = own ?? {};
  // Arguments that are not an object stay as they are. No call may run with other arguments instead.
  return { ...rest, type: 'function_call', callId: id, name, arguments: inputError ?? JSON.stringify(input) };
}

function newResult(
  { toolCallId, toolName, result }: Extract<MessagePart, { type: 'toolResult' }>,
  call?: HostItem,
): HostItem {
  const { namespace, caller } = call ?? {};
  return {
    type: 'function_call_result',
    name: toolName,
    callId: toolCallId,
    status: 'completed',
    output: { type: 'text', text: result.content },
    ...withoutUndefined({ namespace, caller }),
  };
}

/** Media keep the original item as metadata, because a file may have only an id. */
function toUserPart(content: HostItem): MessagePart {
  if (content.type === 'input_text') return { type: 'text', text: String(content['text']) };
  return { type: 'media', url: urlOf(content), metadata: { content: JSON.parse(JSON.stringify(content)) } };
}

function urlOf({ type, image, file, audio }: HostItem): string {
  const given = image ?? file ?? audio;
  if (typeof given === 'object' && given !== null) {
    const { url, id } = given as { url?: string; id?: string };
    return url ?? `media://${id}`;
  }
  const text = String(given);
  if (/^(https?|data|media):/i.test(text)) return text;
  return `data:${type === 'input_image' ? 'image/png' : 'application/octet-stream'};base64,${text}`;
}

function toUserContent(part: MessagePart): HostItem[] {
  if (part.type === 'text') return [{ type: 'input_text', text: part.text }];
  if (part.type !== 'media') return [];
  const own = part.metadata?.['content'] as HostItem | undefined;
  return [own && urlOf(own) === part.url ? own : newMedia(part)];
}

function newMedia({ url, mediaType = '' }: MediaPart): HostItem {
  const image = mediaType.startsWith('image/') || /^data:image\//i.test(url);
  return image ? { type: 'input_image', image: url } : { type: 'input_file', file: url };
}

import { type ChatReplay, lastStep, NOT_DONE, type PendingCalls, type StoredThread } from '../../chat/thread-view.ts';
import type { ChatCall } from '../../chat/threads.ts';
import type { MediaPart, Message } from '../../events/parts/message.ts';
import { textOf, toolCallsOf } from '../../events/parts/messages.ts';
import type { ToolResult } from '../../events/parts/tool-result.ts';
import type { JsonObject, JsonValue } from '../../events/values/json-value.ts';
import type { AgUiMessage, AgUiToolCall } from './ag-ui-event.ts';
import { wireCall } from './mapping/wire.ts';

/** A thread to show. */
interface ShownThread extends StoredThread {
  /** First part of ids, which must be unique in the client's state. */
  readonly prefix: string;
}

/** Converts the messages of a thread. Models may repeat ids of calls, so a repeated id gets a prefix. */
export function toAgUiMessages(
  { messages, pending, prefix }: ShownThread,
  shown: readonly string[] = [],
): readonly AgUiMessage[] {
  const step = lastStep(messages);
  const running = [...pending.resumed.values()];
  const taken = new Set([...shown, ...[...pending.calls, ...running].map((call) => call.shown)]);
  /** The ids on the wire of the calls of the current step. */
  const ids = new Map<string, string>();
  const callsOf = (message: Message, index: number): readonly AgUiToolCall[] =>
    toolCallsOf(message).flatMap((call) => {
      const waiting = index === step ? pending.own.get(call.id) : undefined;
      if (waiting) return isHidden(waiting, pending) ? [] : [pendingCall(waiting)];
      const resumed = index === step ? pending.resumed.get(call.id) : undefined;
      const id = resumed ? resumed.shown : taken.has(call.id) ? `${prefix}-${index}/${call.id}` : call.id;
      taken.add(id);
      ids.set(call.id, id);
      return [wireCall({ ...call, id })];
    });
  const converted = messages.flatMap((message, index): readonly AgUiMessage[] => {
    const id = `${prefix}-${index}`;
    const content = textOf(message);
    if (message.role === 'user') return [{ id, role: 'user', content: contentOf(message) }];
    if (message.role === 'tool')
      return message.parts.flatMap((part, at) =>
        part.type === 'toolResult'
          ? [resultMessage(`${id}-${at}`, ids.get(part.toolCallId) ?? part.toolCallId, part.result)]
          : [],
      );
    const toolCalls = callsOf(message, index);
    return [{ id, role: 'assistant', ...(content && { content }), ...(toolCalls.length > 0 && { toolCalls }) }];
  });
  const toolCalls = pending.others
    .filter((call) => !isHidden(call, pending) && !shown.includes(call.shown))
    .map(pendingCall);
  return toolCalls.length === 0 ? converted : [...converted, { id: `${prefix}-pending`, role: 'assistant', toolCalls }];
}

/** Returns the text of a prompt, or its parts if it has files. */
function contentOf(message: Message): JsonValue {
  const parts = message.parts.flatMap((part): JsonObject[] => {
    if (part.type === 'text') return [{ type: 'text', text: part.text }];
    return part.type === 'media' ? filePart(part) : [];
  });
  return parts.every(({ type }) => type === 'text') ? textOf(message) : parts;
}

/** A `media:` URL refers to the host's own store. */
function filePart({ url, mediaType }: MediaPart): JsonObject[] {
  if (!/^(https|data):/i.test(url)) return [];
  const [, given, value] = /^data:([^;,]+);base64,(.*)$/is.exec(url) ?? [];
  const mimeType = mediaType ?? given;
  const kind = /^(image|audio|video)\//.exec(mimeType ?? '')?.[1] ?? 'document';
  const from = value === undefined ? { type: 'url', value: url } : { type: 'data', value };
  return [{ type: kind, source: { ...from, ...(mimeType !== undefined && { mimeType }) } }];
}

/** Returns the client's messages with the results of the answered calls, and the messages after them. */
export function withReplay(posted: readonly AgUiMessage[], replay: ChatReplay): readonly AgUiMessage[] {
  const { id, calls, messages, pending } = replay;
  const answered = new Set(posted.flatMap(({ toolCallId }) => toolCallId ?? []));
  const results = calls.flatMap(({ shown, result }) =>
    result && !answered.has(shown) ? [resultMessage(`${id}-of-${shown}`, shown, result)] : [],
  );
  const shown = posted.flatMap(({ toolCalls = [] }) => toolCalls.map((call) => call.id));
  return [...posted, ...results, ...toAgUiMessages({ messages, pending, prefix: id }, shown)];
}

/** Clients run their calls when they receive them, so a call of the client is sent only after all approvals. */
function isHidden({ client }: ChatCall, { calls }: PendingCalls): boolean {
  return client && calls.some((call) => !call.client);
}

function pendingCall({ shown, tool, input }: ChatCall): AgUiToolCall {
  return wireCall({ id: shown, name: tool, input });
}

function resultMessage(id: string, toolCallId: string, { content, isError }: ToolResult): AgUiMessage {
  return { id, role: 'tool', toolCallId, content: isError ? NOT_DONE : content };
}

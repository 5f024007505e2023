import { HooklineError } from '../../../errors.ts';
import type { Message, MessagePart } from '../../../events/parts/message.ts';
import { canonicalJson } from '../../../events/values/canonical-json.ts';
import { isObject } from '../../../events/values/is-object.ts';
import type { JsonObject, JsonValue } from '../../../events/values/json-value.ts';
import { field, listField, textField } from './fields.ts';
import { fromWireCalls, toWireCall } from './wire-call.ts';

/** A message in PicoClaw's format: `role, content, media?, reasoning_content?, tool_calls?, tool_call_id?`. */
export interface WireMessage extends JsonObject {
  readonly role: string;
  readonly content: string;
}

/** Returns one message, or one per result of a tool message, because a message in their format answers one call. */
export function toWireMessages(message: Message): WireMessage[] {
  const results = message.parts.filter((part) => part.type === 'toolResult');
  if (results.length > 0) {
    return results.map(({ toolCallId, result }) => ({
      role: 'tool',
      content: result.content,
      tool_call_id: toolCallId,
      ...(result.media && { media: result.media.map(({ url }) => url) }),
    }));
  }
  const media = message.parts.filter((part) => part.type === 'media').map(({ url }) => url);
  const calls = message.parts.filter((part) => part.type === 'toolCall').map(({ toolCall }) => toWireCall(toolCall));
  const thinking = textOf(message, 'thinking');
  return [
    {
      role: message.role,
      content: textOf(message, 'text'),
      ...(media.length > 0 && { media }),
      ...(thinking !== '' && { reasoning_content: thinking }),
      ...(calls.length > 0 && { tool_calls: calls }),
    },
  ];
}

/**
 * Reads the messages of a reply. Unchanged messages keep their identity, so that data without a wire format is not lost. `sent` contains the wire
 * messages of each of ours.
 */
export function fromWireMessages(
  returned: readonly unknown[],
  sent: readonly { readonly message: Message; readonly wire: readonly WireMessage[] }[],
): Message[] {
  const known = new Map<string, Message>();
  for (const { message, wire } of sent) for (const one of wire) known.set(canonicalJson(one as JsonValue), message);
  const messages: Message[] = [];
  for (const one of returned) {
    const same = known.get(canonicalJson(one as JsonValue));
    if (!same) messages.push(fromWire(one, sent));
    else if (messages.at(-1) !== same) messages.push(same);
  }
  return messages;
}

function fromWire(
  wire: unknown,
  sent: readonly { readonly message: Message; readonly wire: readonly WireMessage[] }[],
): Message {
  if (!isObject(wire)) throw misfit('a message must be an object');
  const role = textField(wire, 'role') ?? 'user';
  if (!ROLES.includes(role))
    throw misfit(`a message has the role "${role.slice(0, 40)}"; it may be ${ROLES.join(', ')}`);
  const content = textField(wire, 'content') ?? '';
  if (role === 'tool') {
    const toolCallId = textField(wire, 'tool_call_id') ?? '';
    const part = sent
      .flatMap(({ message }) => message.parts)
      .find((one) => one.type === 'toolResult' && one.toolCallId === toolCallId);
    const known = part?.type === 'toolResult' ? part : undefined;
    const result = { ...(known?.result ?? { isError: false }), content };
    return { role, parts: [{ type: 'toolResult', toolCallId, toolName: known?.toolName ?? '', result }] };
  }
  const thinking = textField(wire, 'reasoning_content');
  const media = listField(wire, 'media');
  const parts: MessagePart[] = [
    ...(thinking ? [{ type: 'thinking' as const, text: thinking }] : []),
    ...(content !== '' ? [{ type: 'text' as const, text: content }] : []),
    ...(media ?? []).filter((url) => typeof url === 'string').map((url) => ({ type: 'media' as const, url })),
    ...fromWireCalls(field(wire, 'tool_calls')).map((toolCall) => ({ type: 'toolCall' as const, toolCall })),
  ];
  return { role: role as Message['role'], parts };
}

const ROLES: readonly string[] = ['system', 'user', 'assistant', 'tool'];

function misfit(issue: string): HooklineError {
  return new HooklineError('PROCESS_FAILED', `The reply is invalid: ${issue}.`);
}

function textOf(message: Message, type: 'text' | 'thinking'): string {
  return message.parts.map((part) => (part.type === type ? part.text : '')).join('');
}

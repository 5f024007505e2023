import type { Message, MessagePart } from '../../../events/parts/message.ts';
import type { StreamPart } from '../language-model.ts';
import type { HostPart } from './host-ai.ts';
import type { RawReply } from './raw-reply.ts';

/** Converts a settled message to the content of a model's reply. */
export function toContent(message: Message, raw: RawReply): HostPart[] {
  return raw.placed(message.parts).flatMap((placed): HostPart[] => {
    if ('foreign' in placed) return [placed.foreign];
    const { part } = placed;
    if (part.type === 'toolCall') return [toCall(part, raw)];
    if (part.type !== 'text' && part.type !== 'thinking') return [];
    const own = raw.own(part);
    if (own) return [own];
    return [{ type: part.type === 'text' ? 'text' : 'reasoning', text: part.text, ...metadataWith(part, raw) }];
  });
}

/** Converts a settled message to stream parts: each block at once, and its calls. */
export function toStreamParts(message: Message, raw: RawReply): StreamPart[] {
  return raw.placed(message.parts).flatMap((placed, index): StreamPart[] => {
    if ('foreign' in placed) return [placed.foreign as unknown as StreamPart];
    const { part } = placed;
    if (part.type === 'toolCall') return toCallParts(part, raw);
    if (part.type !== 'text' && part.type !== 'thinking') return [];
    const kind = part.type === 'text' ? 'text' : 'reasoning';
    const id = placed.raw?.stream ?? `settled-${index}`;
    return [
      { type: `${kind}-start`, id },
      { type: `${kind}-delta`, id, delta: part.text },
      { type: `${kind}-end`, id, ...(metadataWith(part, raw) as object) },
    ];
  });
}

type CallPart = Extract<MessagePart, { type: 'toolCall' }>;

/** Returns a call after the stream parts of its input. They wait until the call has settled, because hooks may still drop it. */
export function toCallParts(part: CallPart, raw: RawReply): StreamPart[] {
  const call = toCall(part, raw) as unknown as StreamPart;
  const { sent, left } = raw.inputOf(part);
  if (left || sent.length === 0) return [...sent, call];
  const { toolCallId: id = '', toolName, input } = call;
  const delta = typeof input === 'string' ? input : JSON.stringify(input ?? {});
  return [
    { type: 'tool-input-start', id, ...(toolName !== undefined && { toolName }) },
    { type: 'tool-input-delta', id, delta },
    { type: 'tool-input-end', id },
    call,
  ];
}

/** Returns the model's own part for a call, unless a hook changed the call. */
function toCall(part: CallPart, raw: RawReply): HostPart {
  const { id, name, input, inputError } = part.toolCall;
  // Arguments that are not an object stay as they are. No call may run with other arguments instead.
  const json = JSON.stringify(inputError ?? input);
  const changed = { toolCallId: id, toolName: name, input: json, ...metadataWith(part, raw) };
  return raw.own(part) ?? { type: 'tool-call', ...changed };
}

function metadataWith(part: MessagePart, raw: RawReply): { readonly providerMetadata?: unknown } {
  const providerMetadata = raw.metadataWith(part);
  return providerMetadata === undefined ? {} : { providerMetadata };
}

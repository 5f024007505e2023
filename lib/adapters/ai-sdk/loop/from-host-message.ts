import type { Message, MessagePart } from '../../../events/parts/message.ts';
import type { ToolResult } from '../../../events/parts/tool-result.ts';
import type { JsonObject } from '../../../events/values/json-value.ts';
import { toBase64 } from '../../../events/values/to-base64.ts';
import type { HostMessage, HostPart } from './host-ai.ts';

/** A message of the AI SDK as hooks see it. What has no counterpart (approvals, sources, calls that a provider runs) is left out. */
export function fromHostMessage({ role, content }: HostMessage): Message {
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  return { role, parts: parts.flatMap(toPart) };
}

function toPart(part: HostPart): MessagePart[] {
  const metadata = metadataOf(part);
  switch (part.type) {
    case 'text':
      return [{ type: 'text', text: String(part['text']), ...metadata }];
    case 'reasoning':
      return [{ type: 'thinking', text: String(part['text']), ...metadata }];
    case 'file':
    case 'image':
      return toMedia(part, metadata);
    case 'tool-call':
      return part['providerExecuted'] === true ? [] : [{ type: 'toolCall', toolCall: callOf(part), ...metadata }];
    case 'tool-result':
      return [
        {
          type: 'toolResult',
          toolCallId: String(part['toolCallId']),
          toolName: String(part['toolName']),
          result: toResult(part['output']),
        },
      ];
    default:
      return [];
  }
}

function callOf(part: HostPart): { id: string; name: string; input: JsonObject } {
  return { id: String(part['toolCallId']), name: String(part['toolName']), input: asJson(part['input']) };
}

/** Copies what must be JSON: a user's own messages may hold what JSON has no word for. */
function asJson(value: unknown): JsonObject {
  const copy: unknown = JSON.parse(JSON.stringify(value ?? {}));
  return typeof copy === 'object' && copy !== null && !Array.isArray(copy) ? (copy as JsonObject) : {};
}

function metadataOf({ providerOptions }: HostPart): { metadata?: JsonObject } {
  return providerOptions === undefined ? {} : { metadata: asJson(providerOptions) };
}

function toMedia(part: HostPart, metadata: { metadata?: JsonObject }): MessagePart[] {
  const given = part['data'] ?? part['image'];
  const tagged = given as { readonly data?: unknown; readonly url?: unknown } | undefined;
  const data = typeof given === 'object' && given !== null && 'type' in given ? (tagged?.data ?? tagged?.url) : given;
  const mediaType = typeof part['mediaType'] === 'string' ? part['mediaType'] : undefined;
  const url = urlOf(data, mediaType ?? 'application/octet-stream');
  return url === undefined ? [] : [{ type: 'media', url, ...(mediaType !== undefined && { mediaType }), ...metadata }];
}

function urlOf(data: unknown, mediaType: string): string | undefined {
  if (data instanceof URL) return data.href;
  const bytes = data instanceof ArrayBuffer ? new Uint8Array(data) : data;
  if (bytes instanceof Uint8Array) return `data:${mediaType};base64,${toBase64(bytes)}`;
  if (typeof data !== 'string') return undefined;
  return /^(https?|data|media):/i.test(data) ? data : `data:${mediaType};base64,${data}`;
}

function toResult(output: unknown): ToolResult {
  const { type = '', value, reason } = (output ?? {}) as { type?: string; value?: unknown; reason?: unknown };
  if (type === 'execution-denied') return { content: String(reason ?? 'denied'), isError: true };
  const isError = type.startsWith('error');
  return { content: typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), isError };
}

import type { Message, MessagePart, ToolResultPart } from '../../../../events/parts/message.ts';
import type { ToolResult } from '../../../../events/parts/tool-result.ts';
import { toBase64 } from '../../../../events/values/base64.ts';
import type { JsonObject } from '../../../../events/values/json-value.ts';
import { jsonObject } from '../../../../loops/to-tool-call.ts';
import type { HostMessage, HostPart } from '../host-ai.ts';

/** Converts a message of the AI SDK. Content without a counterpart (approvals, sources, calls that a provider runs) is left out. */
export function fromHostMessage({ role, content }: HostMessage): Message {
  if (typeof content === 'string') return { role, parts: [{ type: 'text', text: content }] };
  return { role, parts: content.map(readHostPart).filter((part) => part !== undefined) };
}

/** Converts a part. Returns `undefined` if hooks do not see such parts. */
export function readHostPart(part: HostPart): MessagePart | undefined {
  switch (part.type) {
    case 'text':
      return withMetadata({ type: 'text', text: String(part['text']) }, part);
    case 'reasoning':
      return withMetadata({ type: 'thinking', text: String(part['text']) }, part);
    case 'file':
    case 'image':
      return toMedia(part);
    case 'tool-call':
      return part['providerExecuted'] === true
        ? undefined
        : withMetadata({ type: 'toolCall', toolCall: callOf(part) }, part);
    case 'tool-result':
      return {
        type: 'toolResult',
        toolCallId: String(part['toolCallId']),
        toolName: String(part['toolName']),
        result: toResult(part['output']),
      };
    default:
      return undefined;
  }
}

function callOf(part: HostPart): { id: string; name: string; input: JsonObject } {
  return { id: String(part['toolCallId']), name: String(part['toolName']), input: jsonObject(part['input']) };
}

function withMetadata(part: Exclude<MessagePart, ToolResultPart>, { providerOptions }: HostPart): MessagePart {
  return providerOptions === undefined ? part : { ...part, metadata: jsonObject(providerOptions) };
}

function toMedia(part: HostPart): MessagePart | undefined {
  const given = part['data'] ?? part['image'];
  const tagged = given as { readonly data?: unknown; readonly url?: unknown } | undefined;
  const data = typeof given === 'object' && given !== null && 'type' in given ? (tagged?.data ?? tagged?.url) : given;
  const mediaType = typeof part['mediaType'] === 'string' ? part['mediaType'] : undefined;
  const url = urlOf(data, mediaType ?? 'application/octet-stream');
  if (url === undefined) return undefined;
  return withMetadata({ type: 'media', url, ...(mediaType !== undefined && { mediaType }) }, part);
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

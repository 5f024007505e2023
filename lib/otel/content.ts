import type { Message, MessagePart } from '../events/parts/message.ts';
import type { ToolDescription } from '../events/parts/tool-description.ts';
import { isObject } from '../events/values/is-object.ts';
import type { TelemetrySettings } from './telemetry-settings.ts';

/** Formats content as the JSON of the conventions. Secrets are removed from each text, and long texts are cut. */
export interface ContentFormat {
  messages(messages: readonly Message[]): string;
  /** The texts of the system messages, if any. */
  instructions(messages: readonly Message[]): string | undefined;
  reply(message: Message, finishReason: string): string;
  tools(tools: readonly Pick<ToolDescription, 'name' | 'description' | 'inputSchema'>[]): string;
  value(value: unknown): string;
}

/** Returns undefined if content is disabled. */
export function createContentFormat({
  content,
  maxContentChars: most,
  clean,
}: Pick<TelemetrySettings, 'content' | 'maxContentChars' | 'clean'>): ContentFormat | undefined {
  if (!content) return undefined;

  // Cleaned before it is cut, because half a secret would not be recognized.
  const text = (given: string): string => {
    const cleaned = clean(given);
    return cleaned.length <= most ? cleaned : `${cleaned.slice(0, most)}.. (${cleaned.length - most} more characters)`;
  };

  function cleanValue(value: unknown): unknown {
    if (typeof value === 'string') return text(value);
    if (Array.isArray(value)) return value.map(cleanValue);
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [text(key), cleanValue(one)]));
  }

  function partOf(part: MessagePart): object {
    switch (part.type) {
      case 'text':
        return { type: 'text', content: text(part.text) };
      case 'thinking':
        return { type: 'reasoning', content: text(part.text) };
      case 'toolCall': {
        const { id, name, input } = part.toolCall;
        return { type: 'tool_call', id, name: text(name), arguments: cleanValue(input) };
      }
      case 'toolResult':
        return { type: 'tool_call_response', id: part.toolCallId, result: text(part.result.content) };
      case 'media': {
        const media = part.mediaType === undefined ? {} : { mime_type: part.mediaType };
        // The bytes of a `data:` URL exceed the limits of backends.
        return part.url.startsWith('data:')
          ? { type: 'blob', ...media }
          : { type: 'uri', ...media, uri: text(part.url) };
      }
    }
  }

  const messageOf = ({ role, parts }: Message): object => ({ role, parts: parts.map(partOf) });

  return {
    messages: (messages) => JSON.stringify(messages.filter(({ role }) => role !== 'system').map(messageOf)),
    instructions(messages) {
      const parts = messages.filter(({ role }) => role === 'system').flatMap((message) => message.parts.map(partOf));
      return parts.length > 0 ? JSON.stringify(parts) : undefined;
    },
    reply: (message, finishReason) => JSON.stringify([{ ...messageOf(message), finish_reason: finishReason }]),
    tools: (tools) =>
      JSON.stringify(
        tools.map(({ name, description, inputSchema }) => ({
          type: 'function',
          name: text(name),
          description: text(description),
          parameters: cleanValue(inputSchema),
        })),
      ),
    value: (value) => (typeof value === 'string' ? text(value) : JSON.stringify(cleanValue(value))),
  };
}

import { isError, propertyOf } from '../../../errors/describe-thrown.ts';
import type { MessagePart } from '../../../events/parts/message.ts';
import { isPrompt } from '../../../events/parts/messages.ts';
import type { MediaReference } from '../../../events/parts/tool-result.ts';
import type { ModelRequest } from '../../../pipeline/define/model.ts';
import { MediaError } from './load-media.ts';

/** HTTP statuses of a request whose content the provider does not accept. */
const REJECTED = new Set<unknown>([400, 404, 413, 415, 422]);

/** Whether media in the request may be the cause of an error: they could not be loaded, or the provider did not accept the request. */
export function mayBeOfMedia(error: unknown): boolean {
  return isError(error, MediaError) || REJECTED.has(propertyOf(error, 'statusCode'));
}

/**
 * Returns the request without the media of earlier turns, in prompts and in results of tools, or `undefined` if there are none. Without it, a file
 * that cannot be loaded would make every later request of the conversation fail.
 */
export function withoutEarlierMedia(request: ModelRequest): ModelRequest | undefined {
  const { messages } = request;
  const last = messages.findLastIndex(isPrompt);
  let omitted = false;
  const omit = ({ mediaType }: MediaReference): string => {
    omitted = true;
    return `[${mediaType ?? 'A file'} was omitted, because the model request with it failed.]`;
  };
  const without = (part: MessagePart): MessagePart => {
    if (part.type === 'media') return { type: 'text', text: omit(part) };
    if (part.type !== 'toolResult' || !part.result.media?.length) return part;
    const { media, ...result } = part.result;
    return { ...part, result: { ...result, content: [result.content, ...media.map(omit)].join('\n') } };
  };
  const changed = messages.map((message, index) => {
    if (index >= last || (message.role !== 'user' && message.role !== 'tool')) return message;
    return { ...message, parts: message.parts.map(without) };
  });
  return omitted ? { ...request, messages: changed } : undefined;
}

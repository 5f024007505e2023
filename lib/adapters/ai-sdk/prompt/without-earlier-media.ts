import { isError, propertyOf } from '../../../errors/describe-thrown.ts';
import { isPrompt } from '../../../events/parts/messages.ts';
import type { ModelRequest } from '../../../pipeline/define/model.ts';
import { MediaError } from './load-media.ts';

/** HTTP statuses of a request whose content the provider does not accept. */
const REJECTED = new Set<unknown>([400, 404, 413, 415, 422]);

/** Whether media in the request may be the cause of an error: they could not be loaded, or the provider did not accept the request. */
export function mayBeOfMedia(error: unknown): boolean {
  return isError(error, MediaError) || REJECTED.has(propertyOf(error, 'statusCode'));
}

/**
 * Returns the request without the media of earlier prompts, or `undefined` if there are none. Without it, a file that cannot be loaded would make
 * every later request of the conversation fail.
 */
export function withoutEarlierMedia(request: ModelRequest): ModelRequest | undefined {
  const { messages } = request;
  const last = messages.findLastIndex(isPrompt);
  let omitted = false;
  const changed = messages.map((message, index) => {
    if (index >= last || message.role !== 'user') return message;
    const parts = message.parts.map((part) => {
      if (part.type !== 'media') return part;
      omitted = true;
      return {
        type: 'text' as const,
        text: `[${part.mediaType ?? 'A file'} was omitted, because the model request with it failed.]`,
      };
    });
    return { ...message, parts };
  });
  return omitted ? { ...request, messages: changed } : undefined;
}

import type { EventOf } from '../../events/hook-event.ts';
import type { Message } from '../../events/parts/message.ts';
import type { HostGeneration, HostMessage } from './host-langchain.ts';
import type { RawReply } from './raw-reply.ts';

/** Returns the content that a chunk shows. Tool input and empty chunks are not shown. */
export function contentOf({ part, delta, block }: EventOf<'reasoningChunk'>, { thinks }: RawReply) {
  if (delta === '' || part === 'toolInput') return undefined;
  if (part === 'thinking') return [{ type: 'reasoning', reasoning: delta, index: block }];
  return thinks ? [{ type: 'text', text: delta, index: block }] : delta;
}

export function textOf({ parts }: Message): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

interface Generation extends HostGeneration {
  concat(other: HostGeneration): Generation;
}

/** Returns a generation that LangChain's core can forward and concatenate. */
export function generation(message: HostMessage, generationInfo: object = {}): Generation {
  const text = typeof message.content === 'string' ? message.content : '';
  return {
    text,
    message,
    generationInfo,
    concat: (other) =>
      generation(message.concat?.(other.message) ?? message, { ...generationInfo, ...other.generationInfo }),
  };
}

import type { Message } from '../events/parts/message.ts';
import type { ModelChunk } from '../pipeline/define/model.ts';
import type { ModelStepResult } from './loop-run.ts';

/** Returns the stream of a reply that arrives whole. An async generator would create several promises for each chunk. */
export function wholeReply(ask: () => Promise<readonly ModelChunk[]>): AsyncIterable<ModelChunk> {
  return {
    [Symbol.asyncIterator]() {
      let chunks: Iterator<ModelChunk> | undefined;
      return {
        async next() {
          chunks ??= (await ask())[Symbol.iterator]();
          return chunks.next();
        },
      };
    },
  };
}

/** Returns the result of a model step that a hook answered, or of one without a reply after a hook has ended the run. */
export function hookReply(message: Message = { role: 'assistant', parts: [] }): ModelStepResult {
  return { message, finishReason: 'responded', usage: undefined, finished: true };
}

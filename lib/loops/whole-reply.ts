import type { ModelChunk } from '../pipeline/define/model.ts';

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

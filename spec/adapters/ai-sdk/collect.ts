import type { Model, ModelChunk, ModelRequest } from '../../../lib/pipeline/define/model.ts';

/** A request without optional fields, except for `changes`. */
export function request(changes: Partial<ModelRequest> = {}): ModelRequest {
  return { messages: [{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }], tools: [], options: {}, ...changes };
}

/** Starts a request and returns its iterator. */
export function start(
  model: Model,
  asked = request(),
  signal = new AbortController().signal,
): AsyncIterator<ModelChunk> {
  return (model(asked, { signal }) as AsyncIterable<ModelChunk>)[Symbol.asyncIterator]();
}

/** All chunks of a model until its end, and its error. */
export async function collect(model: Model, asked = request()): Promise<{ chunks: ModelChunk[]; error?: unknown }> {
  const chunks: ModelChunk[] = [];
  try {
    const answer = model(asked, { signal: new AbortController().signal }) as AsyncIterable<ModelChunk>;
    for await (const chunk of answer) chunks.push(chunk);
    return { chunks };
  } catch (error) {
    return { chunks, error };
  }
}

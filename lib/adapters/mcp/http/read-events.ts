import { createLineSplitter } from '../../../process-hooks/line-splitter.ts';

export interface ServerSentEvent {
  readonly data: string;
  readonly id: string | undefined;
}

/** The end of a stream: the id to resume from, and the delay before that in milliseconds. */
export interface StreamEnd {
  readonly lastId: string | undefined;
  readonly retryMs: number | undefined;
}

/**
 * Reads events until the stream ends. It waits for `take` before it reads the next event. Rejects if the stream breaks, or a line is longer than
 * `limit` characters.
 */
export async function readEvents(
  body: AsyncIterable<Uint8Array>,
  limit: number,
  take: (event: ServerSentEvent) => unknown,
): Promise<StreamEnd> {
  let lastId: string | undefined;
  let retryMs: number | undefined;
  let data: string[] = [];
  let ready: ServerSentEvent[] = [];
  const splitter = createLineSplitter(
    limit,
    (line) => {
      if (line === '') {
        if (data.length > 0) ready.push({ data: data.join('\n'), id: lastId });
        data = [];
        return;
      }
      const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
      if (name === 'data') data.push(value);
      else if (name === 'id') lastId = value.replaceAll('\r', '');
      else if (name === 'retry' && /^\d+$/.test(value)) retryMs = Number(value);
      if (data.length > 100_000) throw new Error('an event has too many lines');
    },
    () => {
      throw new Error(`an event is longer than ${limit} characters`);
    },
  );
  for await (const bytes of body) {
    splitter.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    const events = ready;
    ready = [];
    for (const event of events) await take(event);
  }
  return { lastId, retryMs };
}

import { createParser } from 'eventsource-parser';

/** A server-sent event. */
export interface Frame {
  readonly id?: string | undefined;
  readonly event: string;
  readonly data: string;
}

/** Decodes the text of a body as it arrives. */
export async function* textOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read())
      yield decoder.decode(read.value, { stream: true });
    yield decoder.decode();
  } finally {
    void reader.cancel().catch(() => {});
  }
}

/** Parses the events in a stream of text. Events without data are dropped. */
export async function* framesIn(text: AsyncIterable<string>): AsyncGenerator<readonly Frame[]> {
  let frames: Frame[] = [];
  const parser = createParser({ onEvent: ({ event = 'message', ...frame }) => void frames.push({ event, ...frame }) });
  for await (const piece of text) {
    parser.feed(piece);
    yield frames;
    frames = [];
  }
}

/** A server-sent event. */
export interface Frame {
  readonly id?: string;
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

/** Parses the events in a stream of text, as the server writes them: fields end with a line feed, events with an empty line. */
export async function* framesIn(text: AsyncIterable<string>): AsyncGenerator<readonly Frame[]> {
  let rest = '';
  for await (const piece of text) {
    const blocks = (rest + piece).split('\n\n');
    rest = blocks.pop() ?? '';
    yield blocks.flatMap(frameOf);
  }
}

function frameOf(block: string): Frame[] {
  let [id, event, data]: [string | undefined, string, string | undefined] = [undefined, 'message', undefined];
  for (const line of block.split('\n')) {
    const at = line.indexOf(':');
    if (at <= 0) continue;
    const value = line.slice(at + (line[at + 1] === ' ' ? 2 : 1));
    const field = line.slice(0, at);
    if (field === 'id') id = value;
    else if (field === 'event') event = value;
    else if (field === 'data') data = data === undefined ? value : `${data}\n${value}`;
  }
  return data === undefined ? [] : [{ ...(id !== undefined && { id }), event, data }];
}

/** Texts as a body that is made as it is read, some at a time. */
export function textStream(texts: Iterable<string>): ReadableStream<Uint8Array> {
  const rest = texts[Symbol.iterator]();
  const encoder = new TextEncoder();
  return new ReadableStream({
    pull(controller) {
      let batch = '';
      while (batch.length < BATCH) {
        const { done, value } = rest.next();
        if (!done) batch += value;
        else {
          if (batch !== '') controller.enqueue(encoder.encode(batch));
          return controller.close();
        }
      }
      return controller.enqueue(encoder.encode(batch));
    },
  });
}

const BATCH = 65_536;

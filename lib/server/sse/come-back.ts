/** When a client should ask again, in milliseconds. */
const AGAIN_MS = 1_000;

/** A stream that ends at once and says when to ask again: nothing has come since, and more will. */
export function comeBack(): ReadableStream<Uint8Array> {
  return new Blob([`retry: ${AGAIN_MS}\n\n`]).stream() as ReadableStream<Uint8Array>;
}

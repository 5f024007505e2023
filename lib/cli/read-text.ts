import type { Readable } from 'node:stream';

/** How many bytes at the beginning are looked at to tell text from anything else. */
const SAMPLE_BYTES = 8_192;

/** The text of a stream of UTF-8 as it comes; a character that lies across two reads comes with the second. Binary data is an error. */
export async function* readText(input: Readable, { keepMark }: { readonly keepMark: boolean }): AsyncGenerator<string> {
  // A byte order mark counts as no column, but belongs to what is handed on.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: keepMark });
  let read = 0;
  for await (const bytes of input as AsyncIterable<Buffer>) {
    if (read < SAMPLE_BYTES && bytes.subarray(0, SAMPLE_BYTES - read).includes(0)) {
      throw new Error('it is binary, not text');
    }
    read += bytes.length;
    yield decoder.decode(bytes, { stream: true });
  }
  yield decoder.decode();
}

import type { Readable } from 'node:stream';
import { createInvalidUtf8 } from './invalid-utf8.ts';

/** How many bytes at the beginning are looked at to tell text from anything else. */
const SAMPLE_BYTES = 8_192;

/** How a stream is read as text. */
export interface ReadingText {
  /** A byte order mark counts as no column, but belongs to what is handed on. */
  readonly keepMark: boolean;
  /** Told the offset of the first byte that is no UTF-8, before its text comes; replacement characters stand for such bytes. */
  onInvalid(offset: number): void;
}

/** The text of a stream of UTF-8 as it comes; a character that lies across two reads comes with the second. Binary data is an error. */
export async function* readText(input: Readable, { keepMark, onInvalid }: ReadingText): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const invalidIn = createInvalidUtf8();
  let read = 0;
  let begun = false;

  function take(bytes: Buffer, text: string): string {
    const offset = invalidIn(bytes, text);
    if (offset !== undefined) onInvalid(offset);
    const marked = !begun && text.startsWith('\ufeff');
    if (text !== '') begun = true;
    return marked && !keepMark ? text.slice(1) : text;
  }

  for await (const bytes of input as AsyncIterable<Buffer>) {
    if (read < SAMPLE_BYTES && bytes.subarray(0, SAMPLE_BYTES - read).includes(0)) {
      throw new Error('it is binary, not text');
    }
    read += bytes.length;
    yield take(bytes, decoder.decode(bytes, { stream: true }));
  }
  yield take(Buffer.alloc(0), decoder.decode());
}

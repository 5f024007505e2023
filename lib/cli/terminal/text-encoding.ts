import type { Readable } from 'node:stream';

/** Encoding of a text: UTF-8, or UTF-16 with a byte order mark. */
export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** A longer mark means UTF-32, which counts as binary. */
const MARK_BYTES = 4;

/** Returns the encoding of a text by its first bytes. Without a UTF-16 mark it is UTF-8. */
export function encodingOf(head: Buffer): TextEncoding {
  const isWide = head.length >= MARK_BYTES && head.readUInt16LE(2) === 0;
  if (head.length < 2 || isWide) return 'utf-8';
  const mark = head.readUInt16LE(0);
  return mark === 0xfeff ? 'utf-16le' : mark === 0xfffe ? 'utf-16be' : 'utf-8';
}

/** Returns the same bytes. The first chunk contains the whole mark. */
export async function* withWholeMark(input: Readable): AsyncGenerator<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const bytes of input as AsyncIterable<Buffer>) {
    if (!head) {
      yield bytes;
      continue;
    }
    head = Buffer.concat([head, bytes]);
    const mayBeMark = head[0] === 0xff || head[0] === 0xfe;
    if (mayBeMark && head.length < MARK_BYTES) continue;
    yield head;
    head = undefined;
  }
  if (head?.length) yield head;
}

/** Decodes UTF-16 incrementally. Each unit is preserved, including unpaired halves, so that the text can be written unchanged. */
export function createUtf16Decoder(encoding: Exclude<TextEncoding, 'utf-8'>) {
  let rest: Buffer = Buffer.alloc(0);
  return {
    write(bytes: Buffer): string {
      const all = rest.length > 0 ? Buffer.concat([rest, bytes]) : bytes;
      const even = all.length - (all.length % 2);
      rest = Buffer.from(all.subarray(even));
      const units = Buffer.from(all.subarray(0, even));
      return (encoding === 'utf-16be' ? units.swap16() : units).toString('utf16le');
    },
    /** Returns whether the last unit is incomplete. */
    isCut: () => rest.length > 0,
  };
}

export function encoded(text: string, encoding: TextEncoding): string | Buffer {
  if (encoding === 'utf-8') return text;
  const units = Buffer.from(text, 'utf16le');
  return encoding === 'utf-16be' ? units.swap16() : units;
}

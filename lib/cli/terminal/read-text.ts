import type { Readable } from 'node:stream';
import { createInvalidUtf8 } from './invalid-utf8.ts';
import { createUtf16Decoder, encodingOf, type TextEncoding, withWholeMark } from './text-encoding.ts';

/** Number of bytes at the beginning that are checked for binary data. */
const SAMPLE_BYTES = 8_192;

/** Options for reading a stream as text. */
export interface ReadingText {
  /** Keeps the byte order mark in the text. It does not count as a column. */
  readonly keepMark: boolean;
  /** Called with the encoding before the first text. */
  onEncoding?(encoding: TextEncoding): void;
  /** Called with the offset of the first byte that is invalid in the encoding, before its text. Replacement characters stand for such bytes. */
  onInvalid(offset: number): void;
}

interface Decoder {
  write(bytes: Buffer): string;
  end(): string;
}

/**
 * Decodes a stream of UTF-8, or of UTF-16 with a byte order mark. A character that spans two reads is emitted with the second. Binary data throws.
 */
export async function* readText(input: Readable, reading: ReadingText): AsyncGenerator<string> {
  let decoder: Decoder | undefined;
  let begun = false;

  const shown = (text: string): string => {
    const marked = !begun && text.startsWith('\ufeff');
    if (text !== '') begun = true;
    return marked && !reading.keepMark ? text.slice(1) : text;
  };

  for await (const bytes of withWholeMark(input)) {
    if (!decoder) {
      const encoding = encodingOf(bytes);
      reading.onEncoding?.(encoding);
      decoder = encoding === 'utf-8' ? utf8(reading) : utf16(encoding, reading);
    }
    yield shown(decoder.write(bytes));
  }
  yield shown(decoder?.end() ?? '');
}

function utf8({ onInvalid }: ReadingText): Decoder {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const invalidIn = createInvalidUtf8();
  let read = 0;

  function take(bytes: Buffer, text: string): string {
    const offset = invalidIn(bytes, text);
    if (offset !== undefined) onInvalid(offset);
    return text;
  }

  return {
    write(bytes) {
      if (read < SAMPLE_BYTES && bytes.subarray(0, SAMPLE_BYTES - read).includes(0)) {
        throw new Error('it is binary, not text');
      }
      read += bytes.length;
      return take(bytes, decoder.decode(bytes, { stream: true }));
    },
    end: () => take(Buffer.alloc(0), decoder.decode()),
  };
}

function utf16(encoding: Exclude<TextEncoding, 'utf-8'>, { onInvalid }: ReadingText): Decoder {
  const { write, isCut } = createUtf16Decoder(encoding);
  let read = 0;
  return {
    write(bytes) {
      read += bytes.length;
      return write(bytes);
    },
    end() {
      if (!isCut()) return '';
      onInvalid(read - 1);
      return '\ufffd';
    },
  };
}

import type { Readable } from 'node:stream';
import { createInvalidUtf8 } from './invalid-utf8.ts';
import { createUtf16Decoder, encodingOf, type TextEncoding, withWholeMark } from './text-encoding.ts';

/** How many bytes at the beginning are looked at to tell text from anything else. */
const SAMPLE_BYTES = 8_192;

/** How a stream is read as text. */
export interface ReadingText {
  /** A byte order mark counts as no column, but belongs to what is handed on. */
  readonly keepMark: boolean;
  /** Told the encoding, before any text comes. */
  onEncoding?(encoding: TextEncoding): void;
  /** Told the offset of the first byte that is not of the encoding, before its text comes; replacement characters stand for such bytes. */
  onInvalid(offset: number): void;
}

interface Decoder {
  write(bytes: Buffer): string;
  end(): string;
}

/**
 * The text of a stream of UTF-8, or of UTF-16 with a byte order mark, as it comes; a character that lies across two reads comes with the second.
 * Binary data is an error.
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

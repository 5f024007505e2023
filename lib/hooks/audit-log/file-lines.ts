import { createReadStream } from 'node:fs';
import { HooklineError } from '../../errors.ts';

/** A line of a file as bytes, without its line end. */
export interface FileLine {
  readonly bytes: Buffer;
  /** From 1. */
  readonly number: number;
  /** Bytes from the beginning of the file; `end` includes the line end. */
  readonly start: number;
  readonly end: number;
  /** False for a last line without a line end. */
  readonly whole: boolean;
}

const LONGEST = 1 << 24;
const NEW_LINE = 10;

/** Reads the lines of a file, one at a time. Throws `INPUT_INVALID` for an unreadable file or a line longer than 16 MiB. */
export async function* fileLines(path: string): AsyncGenerator<FileLine> {
  let number = 1;
  let start = 0;
  let parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      let begin = 0;
      for (let end = chunk.indexOf(NEW_LINE); end >= 0; end = chunk.indexOf(NEW_LINE, begin)) {
        const bytes = Buffer.concat([...parts, chunk.subarray(begin, end)]);
        parts = [];
        length = 0;
        begin = end + 1;
        yield { bytes, number, start, end: start + bytes.length + 1, whole: true };
        start += bytes.length + 1;
        number += 1;
      }
      const rest = chunk.subarray(begin);
      parts.push(rest);
      length += rest.length;
      if (length > LONGEST) throw new Error(`line ${number} is longer than 16 MiB, so this is not an audit log`);
    }
  } catch (cause) {
    const why = (cause as Error).message;
    throw new HooklineError('INPUT_INVALID', `Cannot read the audit file "${path}": ${why}`, { cause });
  }
  if (length > 0) yield { bytes: Buffer.concat(parts), number, start, end: start + length, whole: false };
}

import { createReadStream } from 'node:fs';
import { HooklineError } from '../../errors.ts';

/** A line of a file as bytes, without its end. */
export interface FileLine {
  readonly bytes: Buffer;
  /** From 1. */
  readonly number: number;
  /** In bytes from the beginning of the file; `end` lies behind the line's end. */
  readonly start: number;
  readonly end: number;
  /** False for a last line without an end. */
  readonly whole: boolean;
}

const LONGEST = 1 << 24;
const NEW_LINE = 10;

/** The lines of a file, one at a time. A file that cannot be read, or has a line longer than 16 MiB, is `INPUT_INVALID`. */
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
      if (length > LONGEST) throw new Error(`line ${number} is longer than 16 MiB, so this is not an audit`);
    }
  } catch (cause) {
    const why = (cause as Error).message;
    throw new HooklineError('INPUT_INVALID', `The audit file "${path}" cannot be read: ${why}`, { cause });
  }
  if (length > 0) yield { bytes: Buffer.concat(parts), number, start, end: start + length, whole: false };
}

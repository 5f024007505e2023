import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { messageOf } from '../../errors/describe-thrown.ts';
import { HooklineError } from '../../errors.ts';

const MOST_BYTES = 20_000_000;
const { O_RDONLY, O_NONBLOCK = 0 } = constants;

/** Reads the words of a UTF-8 file, one per line. A file that is unreadable, not UTF-8, too large or without words throws `OPTIONS_INVALID`. */
export function readWords(hook: string, path: string): readonly string[] {
  const lines = read(hook, path).split(/\r?\n/);
  const words = lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'));
  if (words.length > 0) return words;
  throw invalid(hook, `the file ${path} contains no words; write one per line`);
}

function read(hook: string, path: string): string {
  try {
    return decode(readBytes(path));
  } catch (cause) {
    throw invalid(hook, `cannot read the word file ${path}: ${messageOf(cause)}`, cause);
  }
}

function readBytes(path: string): Buffer {
  // Opens a pipe without waiting, and rejects it.
  const file = openSync(path, O_RDONLY | O_NONBLOCK);
  try {
    if (!fstatSync(file).isFile()) throw new Error('it is not a regular file; use a file with one word per line');
    // The reported size is no limit: some files report 0, and others grow.
    const bytes = Buffer.allocUnsafe(MOST_BYTES + 1);
    let length = 0;
    while (length < bytes.length) {
      const read = readSync(file, bytes, length, bytes.length - length, null);
      if (read === 0) return bytes.subarray(0, length);
      length += read;
    }
  } finally {
    closeSync(file);
  }
  throw new Error(`it is larger than ${MOST_BYTES / 1e6} MB; split it`);
}

/** Decodes the text without its byte order mark. A NUL indicates UTF-16, whose ASCII is valid UTF-8 but matches no word. */
function decode(bytes: Buffer): string {
  try {
    if (!bytes.includes(0)) return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // Rejected below, like UTF-16.
  }
  throw new Error('it is not UTF-8; save it as UTF-8');
}

function invalid(hook: string, message: string, cause?: unknown): HooklineError {
  return new HooklineError('OPTIONS_INVALID', `The hook "${hook}": ${message}.`, { cause });
}

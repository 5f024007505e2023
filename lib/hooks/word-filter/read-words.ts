import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { messageOf } from '../../errors/describe-thrown.ts';
import { HooklineError } from '../../errors.ts';

const MOST_BYTES = 20_000_000;
const { O_RDONLY, O_NONBLOCK = 0 } = constants;

/** The words of a file in UTF-8, one a line. One that cannot be read, is no text in UTF-8, is too big or holds none is `OPTIONS_INVALID`. */
export function readWords(hook: string, path: string): readonly string[] {
  const lines = read(hook, path).split(/\r?\n/);
  const words = lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'));
  if (words.length > 0) return words;
  throw fault(hook, `the file ${path} holds no word; it must have one a line`);
}

function read(hook: string, path: string): string {
  try {
    return decode(readBytes(path));
  } catch (cause) {
    throw fault(hook, `the file of words ${path} cannot be read: ${messageOf(cause)}`, cause);
  }
}

function readBytes(path: string): Buffer {
  // A pipe is not waited for: it is opened, and refused.
  const file = openSync(path, O_RDONLY | O_NONBLOCK);
  try {
    if (!fstatSync(file).isFile()) throw new Error('it is no regular file; name a file that has one word a line');
    // The size that a file is said to have is no bound: some are said to be empty, and others grow.
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
  throw new Error(`it has more than ${MOST_BYTES / 1e6} MB, the most that is read; split it`);
}

/** The text without its byte order mark. A NUL tells UTF-16: its ASCII is valid UTF-8, and matches no word. */
function decode(bytes: Buffer): string {
  try {
    if (!bytes.includes(0)) return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // Refused below, like UTF-16.
  }
  throw new Error('it is not text in UTF-8; save it as UTF-8');
}

function fault(hook: string, message: string, cause?: unknown): HooklineError {
  return new HooklineError('OPTIONS_INVALID', `The hook "${hook}": ${message}.`, { cause });
}

import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { type Stamp, stampOf } from './stamp.ts';

const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
const SAMPLE = 8_192;

/** The text of a file and the stamp of what was read; without a text where it is binary. Links, special files and longer ones throw. */
export function readText(path: string, maxBytes: number): { readonly text?: string; readonly stamp: Stamp } {
  // A file that was exchanged for a link or a pipe since it was found is not followed, and not waited for.
  const file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile() || stats.size > maxBytes) throw new Error('is no file any more, or too large');
    const bytes = Buffer.allocUnsafe(stats.size);
    let length = 0;
    while (length < bytes.length) {
      const read = readSync(file, bytes, length, bytes.length - length, length);
      if (read === 0) break;
      length += read;
    }
    const whole = bytes.subarray(0, length);
    const stamp = stampOf(stats);
    return isBinary(whole) ? { stamp } : { text: whole.toString('utf8').replace(/^\uFEFF/, ''), stamp };
  } finally {
    closeSync(file);
  }
}

/** Whether the beginning looks like anything but text in UTF-8: a NUL, or more than a tenth unreadable. */
function isBinary(bytes: Buffer): boolean {
  const sample = bytes.subarray(0, SAMPLE);
  if (sample.includes(0)) return true;
  const text = sample.toString('utf8');
  return text.split('\uFFFD').length - 1 > text.length / 10;
}

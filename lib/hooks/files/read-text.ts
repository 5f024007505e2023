import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { type Stamp, stampOf } from './stamp.ts';

const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
const SAMPLE = 8_192;

/** Reads the text of a file and its stamp. A binary file has no text. Links, special files and files above the limit throw. */
export function readText(path: string, maxBytes: number): { readonly text?: string; readonly stamp: Stamp } {
  // If a link or a pipe has replaced the file since, it is neither followed nor waited for.
  const file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile() || stats.size > maxBytes) throw new Error('is no longer a file, or is too large');
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

/** Returns whether the beginning is not UTF-8 text: it contains a NUL, or more than a tenth is invalid. */
function isBinary(bytes: Buffer): boolean {
  const sample = bytes.subarray(0, SAMPLE);
  if (sample.includes(0)) return true;
  const text = sample.toString('utf8');
  return text.split('\uFFFD').length - 1 > text.length / 10;
}

import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { createLineCutter, type Line } from './line-cutter.ts';

const PIECE = 65_536;

/**
 * Reads the lines of a file synchronously, a piece at a time. The last line may be incomplete. Throws file system errors, and an error with the
 * number of a line of more than `longest` bytes.
 */
export function* readLines(path: string, longest?: number): Generator<Line, void, void> {
  const cutter = createLineCutter(longest);
  const fd = openSync(path, 'r');
  try {
    let piece = Buffer.allocUnsafe(PIECE);
    for (let used = 0; ; ) {
      const length = readSync(fd, piece, used, PIECE - used, null);
      if (length === 0) break;
      yield* cutter.cut(piece.subarray(used, used + length));
      used += length;
      if (used < PIECE) continue;
      piece = Buffer.allocUnsafe(PIECE);
      used = 0;
    }
  } finally {
    closeSync(fd);
  }
  const rest = cutter.rest();
  if (rest) yield rest;
}

/** Reads the lines of a file like `readLines`, asynchronously. */
export async function* streamLines(path: string, longest?: number): AsyncGenerator<Line, void, void> {
  const cutter = createLineCutter(longest);
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) yield* cutter.cut(piece);
  const rest = cutter.rest();
  if (rest) yield rest;
}

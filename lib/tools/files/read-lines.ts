import type { FileHandle } from 'node:fs/promises';
import { utf8Prefix } from '../utf8-prefix.ts';

/** A range of lines: `limit` lines from line `offset` (the first is 1), at most `maxBytes`. */
export interface LineRange {
  readonly offset: number;
  readonly limit: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** The lines of a range. `lines` is their number, without an incomplete last one. `before` is the number of skipped lines. */
export interface ReadLines {
  readonly bytes: Buffer;
  readonly lines: number;
  readonly before: number;
  /** Whether more content follows. */
  readonly more: boolean;
  /** Whether the only line is longer than `maxBytes`, and was cut. */
  readonly cut: boolean;
}

const newline = 10;

/** Reads a range of lines in memory that does not grow with the file. Throws the signal's reason if it aborts. */
export async function readLines(handle: FileHandle, range: LineRange): Promise<ReadLines> {
  const buffer = Buffer.allocUnsafe(64 * 1024);
  const pieces: Buffer[] = [];
  let [before, lines, size, position] = [0, 0, 0, 0];
  let more = false;
  while (!more) {
    range.signal.throwIfAborted();
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
    if (bytesRead === 0) break;
    position += bytesRead;
    const chunk = buffer.subarray(0, bytesRead);
    const from = after(chunk, 0, range.offset - 1 - before);
    before += from.lines;
    if (before < range.offset - 1) continue;
    const to = after(chunk, from.end, range.limit - lines);
    lines += to.lines;
    size += to.end - from.end;
    pieces.push(Buffer.from(chunk.subarray(from.end, to.end)));
    more = to.end < bytesRead || size > range.maxBytes;
  }
  const bytes = Buffer.concat(pieces);
  if (size > range.maxBytes) return shorten(bytes, range.maxBytes, before);
  return { bytes, lines, before, more, cut: false };
}

// Skips at most `count` lines of the chunk.
function after(chunk: Buffer, start: number, count: number): { lines: number; end: number } {
  let [lines, end] = [0, start];
  while (lines < count && end < chunk.length) {
    const at = chunk.indexOf(newline, end);
    if (at < 0) return { lines, end: chunk.length };
    lines += 1;
    end = at + 1;
  }
  return { lines, end };
}

function shorten(bytes: Buffer, maxBytes: number, before: number): ReadLines {
  const end = bytes.subarray(0, maxBytes).lastIndexOf(newline) + 1;
  if (end === 0) return { bytes: utf8Prefix(bytes, maxBytes), lines: 1, before, more: true, cut: true };
  const whole = bytes.subarray(0, end);
  return { bytes: whole, lines: after(whole, 0, Infinity).lines, before, more: true, cut: false };
}

import { readSync } from 'node:fs';
import { createLineCutter } from '../../store/lines/line-cutter.ts';
import { type ChainPoint, GENESIS, readChainedLine, rollHash } from './chain-line.ts';

/** The end of a file, up to its last complete line. */
export interface ChainEnd extends ChainPoint {
  /** Whether any of its lines is part of a chain. */
  readonly chained: boolean;
}

const PIECE = 65_536;
const NEW_LINE = 10;

/** Finds the end of a file of `size` bytes. For a long file it reads only the last lines, which contain the hash of the earlier ones. */
export function chainEnd(fd: number, size: number): ChainEnd {
  const known = lastPoint(fd, size);
  const end = rollOn(fd, known ?? { at: 0, prev: GENESIS }, size);
  return { ...end, chained: known !== undefined };
}

/** Adds the bytes appended since `from` to the hash. An incomplete last line is skipped. */
export function rollOn(fd: number, from: ChainPoint, size: number): ChainPoint {
  const cutter = createLineCutter(Number.POSITIVE_INFINITY);
  let { at, prev } = from;
  for (let position = at; position < size; ) {
    const piece = read(fd, position, Math.min(size, position + PIECE));
    if (piece.length === 0) break;
    position += piece.length;
    for (const { bytes, end } of cutter.cut(piece)) {
      prev = rollHash(prev, bytes);
      at = from.at + end;
    }
  }
  return { at, prev };
}

/** Returns the place and the hash in the last complete line of a chain. */
function lastPoint(fd: number, size: number): ChainPoint | undefined {
  for (let length = PIECE; ; length *= 4) {
    const start = Math.max(0, size - length);
    const bytes = read(fd, start, size);
    for (let end = bytes.lastIndexOf(NEW_LINE); end > 0; ) {
      const before = bytes.lastIndexOf(NEW_LINE, end - 1);
      // The first line may have begun before this piece.
      if (before < 0 && start > 0) break;
      const line = readChainedLine(bytes.subarray(before + 1, end));
      if (line && line !== 'newer' && line.at <= start + before + 1) return { at: line.at, prev: line.prev };
      end = before;
    }
    if (start === 0) return undefined;
  }
}

function read(fd: number, start: number, end: number): Buffer {
  const bytes = Buffer.alloc(end - start);
  let length = 0;
  while (length < bytes.length) {
    const got = readSync(fd, bytes, length, bytes.length - length, start + length);
    if (got === 0) break;
    length += got;
  }
  return bytes.subarray(0, length);
}

import { type ChainPoint, GENESIS, rollHash } from './chain-line.ts';
import { createRecent } from './recent.ts';

/** The number of lines that a reference may go back. It limits how many lines others may append between a writer's read and its write. */
export const WINDOW = 16_384;

/** The hashes at the last line ends of one file, in bounded memory. */
export interface ChainWindow {
  /** Whether the lines before a place have this hash. */
  holds(point: ChainPoint): boolean;
  /** Returns the place that a line states, as its writer saw the file. */
  placeOf(point: ChainPoint): number;
  add(line: Buffer, end: number): void;
  /** Accepts the hash in the line at `start` for the lines before it. */
  trust(point: ChainPoint, start: number): void;
}

export function createChainWindow(): ChainWindow {
  let points = createRecent<number, string>(WINDOW);
  points.set(0, GENESIS);
  let hash = GENESIS;
  let shift = 0;
  return {
    holds: ({ at, prev }) => points.get(at + shift) === prev,
    placeOf: ({ at }) => at + shift,
    add(line, end) {
      hash = rollHash(hash, line);
      points.set(end, hash);
    },
    trust({ at, prev }, start) {
      shift = start - at;
      hash = prev;
      points = createRecent(WINDOW);
      points.set(start, prev);
    },
  };
}

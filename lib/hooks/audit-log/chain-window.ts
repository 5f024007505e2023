import { type ChainPoint, GENESIS, rollHash } from './chain-line.ts';
import { createRecent } from './recent.ts';

/** How many lines back a line may refer, which is how many others may write while one writer is held up between reading and writing. */
export const WINDOW = 16_384;

/** The hashes at the last line ends of one file, in bounded memory. */
export interface ChainWindow {
  /** Whether the hash over the lines before a place is this one. */
  holds(point: ChainPoint): boolean;
  /** Where a line says that it stands, counted as the writer saw the file. */
  placeOf(point: ChainPoint): number;
  add(line: Buffer, end: number): void;
  /** Takes the word of a line that stands at `start` for what was before. */
  believe(point: ChainPoint, start: number): void;
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
    believe({ at, prev }, start) {
      shift = start - at;
      hash = prev;
      points = createRecent(WINDOW);
      points.set(start, prev);
    },
  };
}

import { isApart } from '../escapes/escape-units.ts';
import { type Alphabet, Kind } from './alphabet.ts';
import type { Automaton } from './automaton.ts';

/**
 * Units that can be skipped in a row if no two neighbours begin an open pattern: no literal or escape begins with one. In most scripts except Latin, that is
 * nearly every letter. Each unit is computed on first use.
 */
export interface DullUnits {
  isDull(unit: number): boolean;
  /** Returns the end of the row that begins at `from`, at most `to`; `before` is the unit before, if it is in the row. */
  rowEnd(text: string, from: number, to: number, before?: number): number;
}

interface Beginnings {
  rising(kind: number, first: number): readonly { readonly automaton: Automaton }[];
  lives(kind: number, first: number, second: number): boolean;
}

interface Landmarks {
  readonly columns: Uint8Array | Uint16Array;
  next(state: number, column: number): number;
}

const LIVELY = 0;
const UNDECIDED = 1;
const DULL = 2;

/** Of ASCII only indentation: the other characters begin some pattern. */
const BLANKS = [9, 32];

export function dullUnits(
  { classOf, kinds }: Alphabet,
  { next, columns }: Landmarks,
  { rising, lives }: Beginnings,
): DullUnits {
  const units = new Uint8Array(65_536).fill(UNDECIDED, 128);
  for (const blank of BLANKS) units[blank] = UNDECIDED;
  // The last character of a row is released before the next one arrives, so it may only be context of a secret.
  const isPendingOutput = (unitClass: number): boolean =>
    rising(Kind.other, unitClass).some(({ automaton }) => automaton.step(automaton.start(Kind.other), unitClass).held);
  const decide = (unit: number): boolean => {
    const unitClass = classOf[unit]!;
    return (
      next(0, columns[unit]!) === 0 && isApart(unit) && kinds[unitClass] === Kind.other && !isPendingOutput(unitClass)
    );
  };
  const isDull = (unit: number): boolean => {
    if (units[unit] === UNDECIDED) units[unit] = decide(unit) ? DULL : LIVELY;
    return units[unit] === DULL;
  };
  return {
    isDull,
    rowEnd(text, from, to, before = Number.NaN) {
      let last = classOf[before] ?? -1;
      for (let at = from; at < to; at++) {
        const unit = text.charCodeAt(at);
        if (!isDull(unit)) return at;
        const unitClass = classOf[unit]!;
        if (last >= 0 && lives(Kind.other, last, unitClass)) return at;
        last = unitClass;
      }
      return to;
    },
  };
}

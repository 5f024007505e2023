import { type Alphabet, Kind } from '../pattern/alphabet.ts';
import type { Automaton } from '../pattern/automaton.ts';

/** The units that may begin at a place, so that most places need not be tried. Computed on first use. */
export interface Beginnings<U> {
  /** Returns the units that a character of a class may begin, by the kind of the character before. */
  rising(kind: number, first: number): readonly U[];
  /** Returns whether one of them is still alive after the second character, by its class; or may be, if that is `unknown`. */
  lives(kind: number, first: number, second: number): boolean;
  readonly unknown: number;
}

const UNDECIDED = 0;
const LIVES = 1;
const DIES = 2;

const KINDS = Object.keys(Kind).length;

interface Beginner {
  readonly automaton: Automaton;
  readonly swallow: boolean;
}

/** Returns the pairs of an alphabet with which one of the units may begin. */
export function beginningsOf<U extends Beginner>(units: readonly U[], { size }: Alphabet): Beginnings<U> {
  const unknown = size;
  const width = size + 1;
  const firsts: (readonly U[] | undefined)[] = new Array(KINDS * size).fill(undefined);
  const pairs = new Uint8Array(units.length > 0 ? KINDS * size * width : 0);
  const rising = (kind: number, first: number): readonly U[] => {
    const place = kind * size + first;
    firsts[place] ??= units.filter(({ automaton }) => automaton.step(automaton.start(kind), first).alive !== 0);
    return firsts[place];
  };
  const goesOn = (kind: number, first: number, second: number): boolean =>
    rising(kind, first).some(({ automaton, swallow }) => {
      if (second === unknown) return true;
      const state = automaton.step(automaton.start(kind), first);
      const next = automaton.step(state, second);
      // A rule that swallows inserts its marker at once, even before the second character.
      return next.alive !== 0 || next.matched !== 0 || (swallow && state.within);
    });
  return {
    rising,
    unknown,
    lives(kind, first, second) {
      const place = (kind * size + first) * width + second;
      if (pairs[place] === UNDECIDED) pairs[place] = goesOn(kind, first, second) ? LIVES : DIES;
      return pairs[place] === LIVES;
    },
  };
}

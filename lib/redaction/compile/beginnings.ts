import { type Alphabet, Kind } from '../pattern/alphabet.ts';
import type { Automaton } from '../pattern/automaton.ts';

/** Where some automaton may begin, so that most places need not be tried. */
export interface Beginnings {
  /** Whether one lives on after a character: by the kind of what stands before, times the size of the alphabet, plus its class. */
  readonly first: Uint8Array;
  /** Whether one lives on after two: the place in `first`, times the size of the alphabet, plus the class of the second. */
  readonly second: Uint8Array;
}

const KINDS = Object.keys(Kind).length;

interface Beginner {
  readonly automaton: Automaton;
  readonly swallow: boolean;
}

/** Tries every character and every pair of characters of the alphabet, after every kind. */
export function beginningsOf(units: readonly Beginner[], { size }: Alphabet): Beginnings {
  const first = new Uint8Array(KINDS * size);
  const second = new Uint8Array(units.length > 0 ? KINDS * size * size : 0);
  for (const { automaton, swallow } of units) {
    const { columns } = automaton;
    // One class of each column stands for all.
    const samples = [...new Map(Array.from(columns, (column, unitClass) => [column, unitClass])).values()];
    const follows = new Uint8Array(size);
    for (let kind = 0; kind < KINDS; kind++) {
      for (const sample of samples) {
        const state = automaton.step(automaton.start(kind), sample);
        if (state.alive === 0) continue;
        for (const after of samples) {
          const next = automaton.step(state, after);
          // What is swallowed at once has a marker at once, whether the second character has come or not.
          const lives = next.alive !== 0 || next.matched !== 0 || (swallow && state.within);
          follows[columns[after]!] = lives ? 1 : 0;
        }
        for (let unitClass = 0; unitClass < size; unitClass++) {
          if (columns[unitClass] !== columns[sample]) continue;
          const place = kind * size + unitClass;
          first[place] = 1;
          for (let after = 0; after < size; after++) second[place * size + after]! |= follows[columns[after]!]!;
        }
      }
    }
  }
  return { first, second };
}

import { type CharSet, contains } from './parse/char-set.ts';
import { newlineSet, wordSet } from './parse/named-sets.ts';

/** What stands on one side of a place, as far as assertions can tell. */
export const Kind = { other: 0, word: 1, newline: 2, edge: 3, marker: 4 } as const;

/**
 * UTF-16 units in classes: those that no pattern tells apart share one, so that an automaton needs one column for each class. Also says of
 * which class is a member of which set.
 */
export interface Alphabet {
  /** The class of each of the 65,536 units. */
  readonly classOf: Uint8Array | Uint16Array;
  readonly size: number;
  /** The `Kind` of each class. */
  readonly kinds: Uint8Array;
  /** For a set, whether each class is in it; the same array for an equal set. */
  members(set: CharSet): Uint8Array;
}

/** The coarsest alphabet in which every one of the sets is made of whole classes. */
export function alphabetOf(patterns: Iterable<readonly CharSet[]>): Alphabet {
  const sets = new Map<string, CharSet>();
  for (const set of [wordSet, newlineSet, ...[...patterns].flat()]) sets.set(set.join(), set);
  const cuts = new Set<number>([0]);
  for (const set of sets.values()) for (let k = 0; k < set.length; k++) cuts.add(set[k]! + (k % 2));
  const starts = [...cuts].filter((unit) => unit <= 0xffff).sort((a, b) => a - b);

  const classes = new Map<string, number>();
  const samples: number[] = [];
  const all = [...sets.values()];
  const classOfStart = starts.map((unit) => {
    const signature = all.map((set) => (contains(set, unit) ? '1' : '0')).join('');
    const known = classes.get(signature);
    if (known !== undefined) return known;
    classes.set(signature, samples.length);
    return samples.push(unit) - 1;
  });
  const classOf = samples.length <= 256 ? new Uint8Array(65_536) : new Uint16Array(65_536);
  starts.forEach((unit, k) => void classOf.fill(classOfStart[k]!, unit, starts[k + 1] ?? 65_536));

  const known = new Map<string, Uint8Array>();
  const members = (set: CharSet): Uint8Array => {
    const key = set.join();
    const found = known.get(key) ?? Uint8Array.from(samples, (unit) => (contains(set, unit) ? 1 : 0));
    known.set(key, found);
    return found;
  };
  const words = members(wordSet);
  const newlines = members(newlineSet);
  const kinds = Uint8Array.from(samples, (_, k) => (words[k] ? Kind.word : newlines[k] ? Kind.newline : Kind.other));
  return { classOf, size: samples.length, kinds, members };
}

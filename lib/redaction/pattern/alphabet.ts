import type { CharSet } from './parse/char-set.ts';
import { newlineSet, wordSet } from './parse/named-sets.ts';

/** The kind of character on one side of a place, as assertions distinguish them. */
export const Kind = { other: 0, word: 1, newline: 2, edge: 3, marker: 4 } as const;

/**
 * UTF-16 units in classes: units that no pattern distinguishes share one, so an automaton needs one column for each class. Also records the classes in each
 * set.
 */
export interface Alphabet {
  /** The class of each of the 65,536 units. */
  readonly classOf: Uint8Array | Uint16Array;
  readonly size: number;
  /** The `Kind` of each class. */
  readonly kinds: Uint8Array;
  /** Returns, for a set, whether each class is in it; the same array for an equal set. */
  members(set: CharSet): Uint8Array;
}

/** Returns the coarsest alphabet in which every set consists of whole classes. */
export function alphabetOf(patterns: Iterable<readonly CharSet[]>): Alphabet {
  const sets = new Map<string, CharSet>();
  // Most patterns share their sets.
  for (const set of new Set([wordSet, newlineSet, ...[...patterns].flat()])) sets.set(set.join(), set);
  const cuts = new Set<number>([0]);
  for (const set of sets.values()) for (let k = 0; k < set.length; k++) cuts.add(set[k]! + (k % 2));
  const starts = [...cuts].filter((unit) => unit <= 0xffff).sort((a, b) => a - b);

  const classOfStart = classesOf(starts, sets.values());
  const samples: number[] = [];
  starts.forEach((unit, k) => void (classOfStart[k] === samples.length && samples.push(unit)));
  const classOf = samples.length <= 256 ? new Uint8Array(65_536) : new Uint16Array(65_536);
  starts.forEach((unit, k) => void classOf.fill(classOfStart[k]!, unit, starts[k + 1] ?? 65_536));

  const known = new Map<CharSet, Uint8Array>();
  const equal = new Map<string, Uint8Array>();
  const members = (set: CharSet): Uint8Array => {
    const old = known.get(set);
    if (old) return old;
    const key = set.join();
    const found = equal.get(key) ?? membersAt(samples, set);
    equal.set(key, found);
    known.set(set, found);
    return found;
  };
  const words = members(wordSet);
  const newlines = members(newlineSet);
  const kinds = Uint8Array.from(samples, (_, k) => (words[k] ? Kind.word : newlines[k] ? Kind.newline : Kind.other));
  return { classOf, size: samples.length, kinds, members };
}

/** Returns classes of ascending units, numbered by their first unit. Two units share a class unless a set contains only one of them. Ranges begin at a unit. */
function classesOf(units: readonly number[], sets: Iterable<CharSet>): Uint16Array {
  const placeOf = new Uint16Array(0x1_0001).fill(units.length);
  for (const [place, unit] of units.entries()) placeOf[unit] = place;
  const classes = new Uint32Array(units.length);
  /** The class to which units of a class move. */
  const moved = [0];
  for (const set of sets) {
    // The units of the set move to new classes.
    const first = moved.length;
    for (let k = 0; k < set.length; k += 2) {
      for (let place = placeOf[set[k]!]!, end = placeOf[set[k + 1]! + 1]!; place < end; place++) {
        const old = classes[place]!;
        if (moved[old]! < first) moved[old] = moved.push(0) - 1;
        classes[place] = moved[old]!;
      }
    }
  }
  const numbers = new Map<number, number>();
  return Uint16Array.from(classes, (old) => {
    const number = numbers.get(old) ?? numbers.size;
    numbers.set(old, number);
    return number;
  });
}

/** Returns whether each of the ascending units is in the set. */
function membersAt(units: readonly number[], set: CharSet): Uint8Array {
  const members = new Uint8Array(units.length);
  let range = 0;
  units.forEach((unit, k) => {
    while (range < set.length && set[range + 1]! < unit) range += 2;
    if (range < set.length && set[range]! <= unit) members[k] = 1;
  });
  return members;
}

/** The number of distinct bytes in a column. */
const BYTES = 8;

/** Returns classes of `count` things, numbered by their first one: two are in different classes if a column has different bytes (below 8) for them. */
export function refined(count: number, columns: Iterable<Uint8Array>): Uint16Array {
  const classes = new Uint16Array(count);
  let size = 1;
  for (const column of columns) {
    // From 1 on, because 0 marks a free number.
    const numbers = new Uint16Array(BYTES * size);
    size = 0;
    for (let k = 0; k < count; k++) {
      const key = BYTES * classes[k]! + column[k]!;
      if (numbers[key] === 0) numbers[key] = ++size;
      classes[k] = numbers[key]! - 1;
    }
  }
  return classes;
}

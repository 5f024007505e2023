import { HooklineError } from '../../errors.ts';
import { type LiteralScanner, literalScanner } from '../scan/literal-scanner.ts';
import { createWordAlphabet } from './word-alphabet.ts';

/** All words as one automaton, with its transitions. */
export interface WordAutomaton extends Pick<LiteralScanner<undefined>, 'next' | 'findsFrom' | 'held'> {
  /** The column of each unit that is one symbol, `SLOW` for all others; computed on first use. */
  readonly columns: Uint16Array;
  /** The column of white space; -1 if no word contains any. */
  readonly space: number;
  /** Returns the columns of a character, none for an invisible one. */
  columnsOf(codePoint: number): readonly number[];
  /** Returns the lengths of the words that end in a state, in symbols, longest first. */
  lengths(state: number): readonly number[];
}

/** The column of a unit that must be looked up. */
export const SLOW = 0xffff;
const MOST_WORDS = 200_000;
/** The maximum number of cells of the tables, four bytes each. */
const MOST_CELLS = 50_000_000;

/** Builds the automaton; words that fold to the same text are one. Throws `INPUT_INVALID` for too many words, or for an invisible one. */
export function createWordAutomaton(words: readonly string[]): WordAutomaton {
  if (words.length > MOST_WORDS) throw tooMany(words.length, words.length / MOST_WORDS);
  const alphabet = createWordAlphabet(words);
  const encoded = [...new Set(words.map((word) => encodeWord(word, alphabet.encode)))].sort();
  const cells = countStates(encoded) * (alphabet.size + 1);
  if (cells > MOST_CELLS) throw tooMany(words.length, cells / MOST_CELLS);
  const scanner = literalScanner(encoded.map((text) => ({ text, found: undefined, lead: 0 })));
  const columns = new Uint16Array(65_536).fill(SLOW);
  const known = new Map<number, readonly number[]>();
  return {
    next: scanner.next,
    findsFrom: scanner.findsFrom,
    held: scanner.held,
    lengths: (state) => scanner.found(state).map(({ length }) => length),
    columns,
    space: scanner.columns[alphabet.encode(' ').charCodeAt(0)] || -1,
    columnsOf(codePoint) {
      const found = known.get(codePoint);
      if (found) return found;
      const symbols = alphabet.encode(String.fromCodePoint(codePoint));
      const made = Array.from({ length: symbols.length }, (_, at) => scanner.columns[symbols.charCodeAt(at)] ?? 0);
      known.set(codePoint, made);
      const isSurrogate = codePoint >= 0xd800 && codePoint <= 0xdfff;
      if (codePoint < columns.length && !isSurrogate && made.length === 1) columns[codePoint] = made[0] as number;
      return made;
    },
  };
}

function tooMany(count: number, times: number): HooklineError {
  const message = `${count.toLocaleString('en-US')} words are too many for one list. Split them into ${Math.ceil(times)} lists or more, or leave out the rarest.`;
  return new HooklineError('INPUT_INVALID', message);
}

/** White space that is one space, with any invisible characters in between. */
const SPACES = /\s[\s\p{Default_Ignorable_Code_Point}\p{Cf}]*\s/gu;

function encodeWord(word: string, encode: (text: string) => string): string {
  const encoded = encode(word.trim().replace(SPACES, ' '));
  if (encoded !== '') return encoded;
  throw new HooklineError(
    'INPUT_INVALID',
    `The word ${JSON.stringify(word)} has no letter that can be seen; leave it out.`,
  );
}

/** Returns the number of prefixes of sorted words, including the empty one. */
function countStates(sorted: readonly string[]): number {
  let count = 1;
  let before = '';
  for (const word of sorted) {
    let same = 0;
    while (same < before.length && word[same] === before[same]) same++;
    count += word.length - same;
    before = word;
  }
  return count;
}

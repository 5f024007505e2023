/** The beginning of the symbols: in a range without case. */
const FIRST = 0xe000;
/** A symbol that no word contains. */
const STRANGE = '\uf8ff';
/** Up to this number of letters, each has one symbol. With more, only the most frequent do: each of the others has two, so that tables stay narrow. */
const NARROW = 192;
const USUAL = 32;
const LOW = 64;

/** Encodes text in the few symbols that words consist of. */
export interface WordAlphabet {
  /** The number of symbols. */
  readonly size: number;
  /** Returns the symbols of a text, letter by letter; letters that are in no word share one symbol. */
  encode(text: string): string;
}

export function createWordAlphabet(words: readonly string[]): WordAlphabet {
  const folded = new Map<string, readonly string[]>();
  const lettersOf = (character: string): readonly string[] => {
    const found = folded.get(character);
    if (found) return found;
    const made = [...foldCharacter(character)];
    folded.set(character, made);
    return made;
  };
  const counts = new Map<string, number>();
  for (const word of words)
    for (const character of word)
      for (const letter of lettersOf(character)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  // A space is always one symbol, because a run of them is one.
  if (counts.has(' ')) counts.set(' ', Number.POSITIVE_INFINITY);
  const order = [...counts.keys()].sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0));
  const singles = order.length <= NARROW ? order.length : USUAL;
  const symbols = new Map(order.map((letter, rank) => [letter, symbolOf(rank, singles)]));
  const rest = order.length - singles;
  return {
    size: singles + (rest > 0 ? LOW + Math.ceil(rest / LOW) : 0),
    encode(text) {
      let encoded = '';
      for (const character of text)
        for (const letter of lettersOf(character)) encoded += symbols.get(letter) ?? STRANGE;
      return encoded;
    },
  };
}

function symbolOf(rank: number, singles: number): string {
  if (rank < singles) return String.fromCharCode(FIRST + rank);
  const rest = rank - singles;
  return String.fromCharCode(FIRST + singles + LOW + Math.floor(rest / LOW), FIRST + singles + (rest % LOW));
}

/**
 * Returns a character without its case and width, decomposed into letters and marks: `Ａ` is `a`, `ß` is `ss`, `é` is `e` and an accent, `ｶﾞ` is as `ガ`.
 * Invisible characters are removed.
 */
function foldCharacter(character: string): string {
  if (INVISIBLE.test(character)) return '';
  if (SPACE.test(character)) return ' ';
  // Through upper case: a final sigma is a sigma, and ß is two letters.
  return character
    .normalize('NFKD')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(FINAL_SIGMA, 'σ');
}

const INVISIBLE = /^(?:\p{Default_Ignorable_Code_Point}|\p{Cf})$/u;
const SPACE = /^\s$/u;
const FINAL_SIGMA = 'ς';

/** The role of a character at the end of words. */
const Edge = { other: 1, word: 2, unspaced: 3, mark: 4 } as const;
export type Edge = (typeof Edge)[keyof typeof Edge];

const MARK = /^\p{M}$/u;
const WORD = /^[\p{L}\p{N}]$/u;
/** Scripts that are written without spaces between words, and Korean, which joins endings to words. */
const UNSPACED =
  /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}\p{scx=Tibetan}\p{scx=Yi}\p{scx=Javanese}]$/u;

const known = new Map<number, Edge>();

/** Returns the role of the character of a code point. */
function edgeOf(codePoint: number): Edge {
  const found = known.get(codePoint);
  if (found !== undefined) return found;
  const made = classify(String.fromCodePoint(codePoint));
  if (known.size < MOST_KNOWN) known.set(codePoint, made);
  return made;
}

const MOST_KNOWN = 20_000;

function classify(character: string): Edge {
  if (MARK.test(character)) return Edge.mark;
  if (!WORD.test(character)) return Edge.other;
  return UNSPACED.test(character) ? Edge.unspaced : Edge.word;
}

/** Returns whether a word may end between two characters; a missing one is the beginning or end of the text. With `whole`, words end where letters end. */
export function mayEndBetween(before: number | undefined, after: number | undefined, whole: boolean): boolean {
  if (before === undefined || after === undefined) return true;
  const next = edgeOf(after);
  // A mark belongs to the letter before it.
  if (next === Edge.mark) return false;
  if (!whole || next !== Edge.word) return true;
  const previous = edgeOf(before);
  return previous !== Edge.word && previous !== Edge.mark;
}

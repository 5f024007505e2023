/** What a character is where words end. */
export const Edge = { other: 1, word: 2, unspaced: 3, mark: 4 } as const;
export type Edge = (typeof Edge)[keyof typeof Edge];

const MARK = /^\p{M}$/u;
const WORD = /^[\p{L}\p{N}]$/u;
/** Scripts that are written without spaces between words, and Korean, where endings are joined to words. */
const UNSPACED =
  /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}\p{scx=Tibetan}\p{scx=Yi}\p{scx=Javanese}]$/u;

const known = new Map<number, Edge>();

/** What the character of a code point is where words end. */
export function edgeOf(codePoint: number): Edge {
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

/** Whether a word may end between two characters; without one of them the text begins or ends there. With `whole` words end where letters do. */
export function mayEndBetween(before: number | undefined, after: number | undefined, whole: boolean): boolean {
  if (before === undefined || after === undefined) return true;
  const next = edgeOf(after);
  // A mark belongs to the letter before it.
  if (next === Edge.mark) return false;
  if (!whole || next !== Edge.word) return true;
  const previous = edgeOf(before);
  return previous !== Edge.word && previous !== Edge.mark;
}

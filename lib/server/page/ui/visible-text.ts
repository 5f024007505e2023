/**
 * Characters that are invisible or move their neighbours: control characters except line feed and tab, direction marks, zero-width characters, blanks other
 * than the space, tags, and halves of surrogate pairs. Joiners between two pictures and variation selectors are excluded.
 */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to show
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4-\u17b5\u180e\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff0-\ufffb]|\u034f|[\u180b-\u180f]|[\ufe00-\ufe0d]|[\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|(?<!\p{Extended_Pictographic})(?!\ufe0f\u20e3)[\ufe0e\ufe0f]|\p{Cs}|(?<!\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)\u200d/gu;

/** A part of a text: plain, or the name of a character that is shown instead of applied. */
export interface Piece {
  readonly text: string;
  readonly hidden: boolean;
}

/** Splits a text for display: characters that could mislead a reader appear by name, as `U+202E`. */
export function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let begin = 0;
  for (const { 0: found, index } of text.matchAll(HIDDEN)) {
    if (index > begin) pieces.push({ text: text.slice(begin, index), hidden: false });
    pieces.push({ text: nameOf(found), hidden: true });
    begin = index + found.length;
  }
  if (begin < text.length) pieces.push({ text: text.slice(begin), hidden: false });
  return pieces;
}

/** Returns the same as one string, for titles and labels. */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, nameOf);
}

/** Formats JSON with such characters escaped: the value is the same, and nothing in it can mislead a person who edits it. */
export function visibleJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(HIDDEN, (found) =>
    found.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}

function nameOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

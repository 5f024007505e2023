import { HIDDEN as ALWAYS, HIDDEN_JOINERS } from '../../../events/values/hidden-characters.ts';

/** Joiners between two pictures are not hidden. */
const HIDDEN = new RegExp(`${ALWAYS}|${HIDDEN_JOINERS}`, 'gu');

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

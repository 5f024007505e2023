import { HIDDEN } from '../../events/values/hidden-characters.ts';

/** Joiners of emoji and some scripts are kept, because a stream may end between them. */
const HARMFUL = new RegExp(HIDDEN, 'gu');

/** Makes `text` with any number of lines safe on a terminal: control characters, escapes and bidi marks become `\u{..}`. */
export function harmlessText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(HARMFUL, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

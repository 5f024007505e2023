import { HIDDEN } from '../../events/values/hidden-characters.ts';

/** Also line ends, odd spaces, all joiners, and characters that no font has. */
const MISLEADING = new RegExp(`${HIDDEN}|[\\p{Cf}\\p{Co}\\p{Cn}]|[^\\S ]`, 'gu');

/**
 * Returns `text` on one line. Characters that a terminal would interpret or hide (controls, escapes, bidi marks, odd spaces) are written as `\u{..}`.
 */
export function visibleText(text: string): string {
  return text.replace(MISLEADING, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}

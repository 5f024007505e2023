import { harmlessText } from './harmless-text.ts';

/** `text` as a part of one line that a terminal may be given: line ends and tabs spelled out, too, so that it cannot forge a line. */
export function harmlessLine(text: string): string {
  return harmlessText(text).replace(/[\n\t]/g, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

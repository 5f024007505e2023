import { harmlessText } from './harmless-text.ts';

/** Makes `text` safe as a part of one terminal line. Line ends and tabs are also escaped, so that it cannot forge a line. */
export function harmlessLine(text: string): string {
  return harmlessText(text).replace(/[\n\t]/g, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** Characters that a terminal would interpret or hide, except line ends, tabs and the joiners of emoji and some scripts. */
const HARMFUL = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Makes `text` with any number of lines safe on a terminal: control characters, escapes and bidi marks become `\u{..}`. */
export function harmlessText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(HARMFUL, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

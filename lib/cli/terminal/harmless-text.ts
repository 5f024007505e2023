/** Everything a terminal would act on or hide, but for line ends, tabs and the joiners that emoji and some scripts need. */
const HARMFUL = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** `text` of any number of lines as a terminal may be given it: control characters, escapes and bidi marks spelled out as `\u{..}`. */
export function harmlessText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(HARMFUL, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

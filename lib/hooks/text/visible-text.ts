/**
 * Returns `text` on one line. Characters that a terminal would interpret or hide (controls, escapes, bidi marks, odd spaces) are written as `\u{..}`.
 */
export function visibleText(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]|[^\S ]/gu,
    (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`,
  );
}

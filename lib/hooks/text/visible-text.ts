/** `text` on one line with everything a terminal would act on or hide (controls, escapes, bidi marks, odd spaces) spelled out as `\u{..}`. */
export function visibleText(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]|[^\S ]/gu,
    (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`,
  );
}

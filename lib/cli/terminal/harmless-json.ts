/** Characters that JSON does not escape although a terminal may interpret or hide them. JSON text contains them in strings only. */
const HARMFUL = /[\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Escapes control characters and bidi marks, so that JSON text with the same value is safe on a terminal. */
export function harmlessJson(json: string): string {
  return json.replace(HARMFUL, (character) =>
    Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
      .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

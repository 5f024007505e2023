import { HIDDEN } from './hidden-characters.ts';

/** Characters that JSON does not escape although a terminal may interpret or hide them. JSON text contains them in strings only. */
const HARMFUL = new RegExp(`${HIDDEN}|\\p{Cf}`, 'gu');

/** Escapes control characters and bidi marks, so that JSON text with the same value is safe on a terminal. */
export function harmlessJson(json: string): string {
  return json.replace(HARMFUL, (character) =>
    Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
      .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

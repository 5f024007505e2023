/** What JSON leaves as it is although a terminal may act on it or hide it. In JSON text it stands within strings only. */
const HARMFUL = /[\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}]/gu;

/** JSON text of the same value that a terminal may be given: control characters and bidi marks are escaped. */
export function harmlessJson(json: string): string {
  return json.replace(HARMFUL, (character) =>
    Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
      .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

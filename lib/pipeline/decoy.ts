import type { JsonValue } from '../events/json-value.ts';

/** Another value of the same shape: what a schema makes of it differs only by what it makes of the value itself. */
export function decoyOf(value: JsonValue): JsonValue {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'string')
    return value.replace(/[a-z]/g, next('z', 'a')).replace(/[A-Z]/g, next('Z', 'A')).replace(/\d/g, next('9', '0'));
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(decoyOf);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, decoyOf(item)]));
}

/** The next letter or digit: patterns that a secret fits mostly take its neighbour too. */
function next(last: string, first: string): (character: string) => string {
  return (character) => (character === last ? first : String.fromCharCode(character.charCodeAt(0) + 1));
}

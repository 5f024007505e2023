import type { JsonValue } from '../../events/values/json-value.ts';

/** Another value of the same shape: what a schema makes of it differs only by what it makes of the value itself. */
export function decoyOf(value: JsonValue): JsonValue {
  // From some 9e15 on, one more is the same number.
  if (typeof value === 'number') return value + 1 === value ? value / 2 : value + 1;
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'string') return otherText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(decoyOf);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, decoyOf(item)]));
}

function otherText(text: string): string {
  const other = text
    .replace(/[a-z]/g, next('z', 'a'))
    .replace(/[A-Z]/g, next('Z', 'A'))
    .replace(/\d/g, next('9', '0'))
    .replace(/[^\0-\x7f]/gu, neighbour);
  return other === text ? text.replace(/./gsu, neighbour) : other;
}

/** The letters of most scripts stand in long rows: the one beside a letter is one, too. */
function neighbour(character: string): string {
  return String.fromCodePoint((character.codePointAt(0) as number) ^ 1);
}

/** The next letter or digit: patterns that a secret fits mostly take its neighbour too. */
function next(last: string, first: string): (character: string) => string {
  return (character) => (character === last ? first : String.fromCharCode(character.charCodeAt(0) + 1));
}

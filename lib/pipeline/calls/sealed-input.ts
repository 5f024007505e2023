import type { JsonObject, JsonValue } from '../../events/values/json-value.ts';
import { escapePointer, type Sealed } from './vault.ts';

/** What a schema has made of an input, with the placeholders where the sealed values are. */
export function relabel(value: JsonValue, path: string, sealed: Sealed): JsonValue {
  const placeholder = sealed.get(path)?.placeholder;
  if (placeholder) return placeholder;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item, index) => relabel(item, `${path}/${index}`, sealed));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, relabel(item, `${path}/${escapePointer(key)}`, sealed)]),
  );
}

/** Values so short that they turn up by chance are not looked for. */
const SHORTEST_SECRET = 6;

/** Whether the text of a sealed value stands in what everybody sees. */
export function leaks(visible: JsonObject, sealed: Sealed): boolean {
  const shown = JSON.stringify(visible);
  return [...sealed.values()]
    .flatMap(({ value }) => leaves(value))
    .some((leaf) => leaf.length >= SHORTEST_SECRET && shown.includes(leaf));
}

/** The texts and numbers in a value, as they stand in JSON. */
function leaves(value: JsonValue): string[] {
  if (typeof value === 'string') return [JSON.stringify(value).slice(1, -1)];
  if (typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [];
}

import type { JsonObject, JsonValue } from './json-value.ts';

/** A placeholder in an input. */
type Placeholder = { readonly $sealed: string; readonly nonce: string };

/** Returns whether `value` looks like a placeholder of a sealed value. */
export function isPlaceholder(value: JsonValue | undefined): value is Placeholder {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { $sealed, nonce } = value as JsonObject;
  return typeof $sealed === 'string' && typeof nonce === 'string' && Object.keys(value).length === 2;
}

/** Returns a copy of `value` with each placeholder replaced by `replace`. Paths are JSON pointers. */
export function walk(
  value: JsonValue,
  path: string,
  replace: (placeholder: Placeholder, path: string) => JsonValue | undefined,
): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (isPlaceholder(value)) return replace(value, path) ?? value;
  const at = (key: string | number) => `${path}/${escapePointer(String(key))}`;
  if (Array.isArray(value)) return value.map((item, index) => walk(item, at(index), replace));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, walk(item, at(key), replace)]));
}

/** Escapes a key for a JSON pointer. */
export function escapePointer(key: string): string {
  return key.replace(/~/g, '~0').replace(/\//g, '~1');
}

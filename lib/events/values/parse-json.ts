import { isObject } from './is-object.ts';
import type { JsonObject, JsonValue } from './json-value.ts';

/** Parses JSON. Returns `undefined` for any other text. */
export function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses a JSON object. Returns `undefined` for any other text. */
export function parseJsonObject(text: string): JsonObject | undefined {
  const value = parseJson(text);
  return isObject(value) ? (value as JsonObject) : undefined;
}

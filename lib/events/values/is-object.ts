import type { JsonObject, JsonValue } from './json-value.ts';

/** Returns whether a value is an object, neither `null` nor a list. */
export function isObject(value: JsonValue | undefined): value is JsonObject;
export function isObject(value: unknown): value is Readonly<Record<string, unknown>>;
export function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

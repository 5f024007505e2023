import type { JsonObject } from '../events/values/json-value.ts';

/** Copies what must be a JSON object: a host's own values may hold what JSON has no word for. Anything else is an empty one. */
export function jsonObject(value: unknown): JsonObject {
  const copy: unknown = JSON.parse(JSON.stringify(value ?? {}));
  return typeof copy === 'object' && copy !== null && !Array.isArray(copy) ? (copy as JsonObject) : {};
}

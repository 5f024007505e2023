import { isObject } from '../events/values/is-object.ts';
import type { JsonObject } from '../events/values/json-value.ts';

/**
 * Copies a value that must be a JSON object. Values of hosts may contain fields that JSON cannot represent. Any other value returns an empty object.
 */
export function jsonObject(value: unknown): JsonObject {
  const copy: unknown = JSON.parse(JSON.stringify(value ?? {}));
  return isObject(copy) ? (copy as JsonObject) : {};
}

import type { ToolCall } from '../events/parts/tool-call.ts';
import { isObject } from '../events/values/is-object.ts';
import type { JsonObject } from '../events/values/json-value.ts';

const MAX_QUOTE = 200;

/** Converts a call of a host. Arguments that are not an object return an empty input and an `inputError`. */
export function toToolCall(id: string, name: string, given: unknown): ToolCall {
  if (given === undefined || isObject(given)) return { id, name, input: jsonObject(given) };
  return failedCall(id, name, String(JSON.stringify(given)));
}

/** Returns a call whose arguments are not an object. `raw` is their text. */
export function failedCall(id: string, name: string, raw: string): ToolCall {
  const quote = raw.slice(0, MAX_QUOTE);
  return { id, name, input: {}, inputError: `The arguments must be a JSON object, got: ${quote}` };
}

/**
 * Copies a value that must be a JSON object. Values of hosts may contain fields that JSON cannot represent. Any other value returns an empty object.
 */
export function jsonObject(value: unknown): JsonObject {
  const copy: unknown = JSON.parse(JSON.stringify(value ?? {}));
  return isObject(copy) ? (copy as JsonObject) : {};
}

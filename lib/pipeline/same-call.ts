import type { JsonObject, JsonValue } from '../events/json-value.ts';
import type { ToolCall } from '../events/tool-call.ts';
import { walk } from './vault.ts';

/** Whether two calls would do the same: name and input agree, whatever the order of keys; of sealed values the labels count. */
export function sameCall(a: ToolCall, b: ToolCall): boolean {
  return a.name === b.name && canonical(a.input) === canonical(b.input);
}

function canonical(input: JsonObject): string {
  const labelled = walk(input, '', ({ $sealed }) => ({ $sealed }));
  return JSON.stringify(labelled, (_, value: JsonValue) => (isObject(value) ? sorted(value) : value));
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sorted(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

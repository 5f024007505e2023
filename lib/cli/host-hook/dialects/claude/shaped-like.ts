import type { JsonObject, JsonValue } from '../../../../events/values/json-value.ts';

/**
 * Converts an output to the shape of the original one, because Claude Code silently drops outputs of another shape and shows the original. Only the
 * shape of `before` is kept. If its keys may contain data, or it contains no text, the new text is returned alone.
 */
export function shapedLike(before: JsonValue, after: unknown): JsonValue {
  if (sameShape(before, after)) return after as JsonValue;
  const text = typeof after === 'string' ? after : JSON.stringify(after);
  const kept = typeof after === 'string' ? undefined : keysOf(after as JsonValue);
  if (!keysOf(before).every((key) => (kept ? kept.includes(key) : MEMBER_NAME.test(key)))) return text;
  // The first text of the output gets the whole new text. The others become empty.
  let first = true;
  const replace = (value: JsonValue): JsonValue => {
    if (typeof value === 'string') {
      const now = first ? text : '';
      first = false;
      return now;
    }
    if (typeof value === 'number') return 0;
    if (typeof value === 'boolean') return false;
    if (value === null) return value;
    if (Array.isArray(value)) return value.map(replace);
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replace(item)]));
  };
  const output = replace(before);
  return first ? text : output;
}

/** Matches usual field names of tool outputs, not keys that come from data. */
const MEMBER_NAME = /^[a-z][A-Za-z_]{0,31}$/;

function keysOf(value: JsonValue): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const keys = Array.isArray(value) ? [] : Object.keys(value);
  return [...keys, ...Object.values(value).flatMap(keysOf)];
}

function sameShape(before: JsonValue, after: unknown): boolean {
  if (before === null) return after === null;
  if (typeof before !== 'object') return typeof before === typeof after && after !== null;
  if (typeof after !== 'object' || after === null || Array.isArray(before) !== Array.isArray(after)) return false;
  if (Array.isArray(before)) return true;
  return Object.entries(before).every(([key, value]) => sameShape(value, (after as JsonObject)[key]));
}

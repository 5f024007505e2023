import type { JsonObject, JsonValue } from '../../../events/values/json-value.ts';

/**
 * Claude Code drops an output of another shape without a word, and shows the one that hooks have changed. Nothing of `before` but its shape
 * is kept; where its keys may say something, or no text is in it, the new text stands alone.
 */
export function shapedLike(before: JsonValue, after: unknown): JsonValue {
  if (sameShape(before, after)) return after as JsonValue;
  const text = typeof after === 'string' ? after : JSON.stringify(after);
  const kept = typeof after === 'string' ? undefined : keysOf(after as JsonValue);
  if (!keysOf(before).every((key) => (kept ? kept.includes(key) : MEMBER_NAME.test(key)))) return text;
  // The first text of the output says it all; the others say nothing any more.
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

/** As tools name the fields of their outputs; no key that data has made. */
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

import type { JsonValue } from '../../events/values/json-value.ts';
import { cutText } from './cut-text.ts';

/** The limits in characters: per string, and in total for all strings, keys and numbers. */
export interface JsonBounds {
  readonly perString: number;
  readonly total: number;
}

/** Returns a copy of `value` of limited size. A notice replaces each omitted part. `cut` gets the key of a string. */
export function boundJson(
  value: JsonValue,
  bounds: JsonBounds,
  cut: (text: string, max: number, key?: string) => string = cutText,
): JsonValue {
  let left = bounds.total;

  function text(value: string, key?: string): string {
    const kept = cut(value, Math.min(bounds.perString, Math.max(left, 0)), key);
    left -= kept.length;
    return kept;
  }

  function bound(value: JsonValue, key?: string): JsonValue {
    if (typeof value === 'string') return text(value, key);
    if (typeof value !== 'object' || value === null) {
      left -= String(value).length;
      return value;
    }
    // Brackets and commas count, too. Otherwise a million empty arrays would cost nothing.
    left -= 2;
    return isArray(value) ? boundArray(value) : boundObject(Object.entries(value));
  }

  function boundArray(items: readonly JsonValue[]): JsonValue {
    const kept: JsonValue[] = [];
    for (const item of items) {
      if (left <= 0) return [...kept, notice(items.length - kept.length)];
      kept.push(bound(item));
    }
    return kept;
  }

  function boundObject(fields: [string, JsonValue][]): JsonValue {
    const kept: [string, JsonValue][] = [];
    for (const [key, field] of fields) {
      if (left <= 0) return Object.fromEntries([...kept, ['…', notice(fields.length - kept.length)]]);
      kept.push([text(key), bound(field, key)]);
    }
    return Object.fromEntries(kept);
  }

  return bound(value);
}

const isArray = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value);
const notice = (count: number) => `… [${count} more omitted]`;

import type { JsonValue } from '../../events/values/json-value.ts';
import { cutText } from './cut-text.ts';

/** How much of a value is kept: characters of each string, and of all strings, keys and numbers together. */
export interface JsonBounds {
  readonly perString: number;
  readonly total: number;
}

/** A copy of `value` of bounded size; what is left out leaves a notice in its place. `cut` is told the key that a string stands under. */
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
    // Brackets and commas count too, or a million empty arrays would be free.
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

  function boundObject(members: [string, JsonValue][]): JsonValue {
    const kept: [string, JsonValue][] = [];
    for (const [key, member] of members) {
      if (left <= 0) return Object.fromEntries([...kept, ['…', notice(members.length - kept.length)]]);
      kept.push([text(key), bound(member, key)]);
    }
    return Object.fromEntries(kept);
  }

  return bound(value);
}

const isArray = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value);
const notice = (count: number) => `… [${count} more left out]`;

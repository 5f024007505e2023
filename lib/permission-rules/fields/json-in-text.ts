import type { JsonObject, JsonValue } from '../../events/values/json-value.ts';

/** So many characters of JSON in the texts of one call are read, and values within each other so deep. */
const MOST = 1_000_000;
const DEEPEST = 100;

/** What a text is as JSON: an object or a list, `undefined` for any other text, `unread` where that is too much to read. */
export type JsonInText = JsonObject | readonly JsonValue[] | 'unread' | undefined;

/** Makes a reader of JSON in the texts of one call. */
export function jsonReader(): (text: string) => JsonInText {
  let read = 0;
  return (text) => {
    if (!/^\s*[[{]/.test(text)) return undefined;
    read += text.length;
    if (read > MOST) return 'unread';
    try {
      const value = JSON.parse(text) as JsonObject | readonly JsonValue[];
      return isDeep(text) ? 'unread' : value;
    } catch {
      return undefined;
    }
  };
}

/** Whether values are too deep within each other for those that walk through them. */
function isDeep(json: string): boolean {
  let depth = 0;
  for (const [mark] of json.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (mark === '[' || mark === '{') depth += 1;
    else if (mark === ']' || mark === '}') depth -= 1;
    if (depth > DEEPEST) return true;
  }
  return false;
}

import type { JsonObject, JsonValue } from '../../events/values/json-value.ts';

/** The maximum characters of JSON read from the texts of one call, and the maximum nesting of its values. */
const MOST = 1_000_000;
const DEEPEST = 100;

/** The JSON object or list in a text; `undefined` for any other text, `unread` if it exceeds the limits. */
export type JsonInText = JsonObject | readonly JsonValue[] | 'unread' | undefined;

/** Creates a reader of JSON in the texts of one call. */
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

/** Returns whether values are nested too deep for the functions that walk through them. */
function isDeep(json: string): boolean {
  let depth = 0;
  for (const [mark] of json.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (mark === '[' || mark === '{') depth += 1;
    else if (mark === ']' || mark === '}') depth -= 1;
    if (depth > DEEPEST) return true;
  }
  return false;
}

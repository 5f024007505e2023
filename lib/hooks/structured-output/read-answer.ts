import type { JsonValue } from '../../events/values/json-value.ts';

/** Returns the JSON of an answer: the whole text, or the content of a code block that is the whole text. Undefined if it is not JSON. */
export function readAnswer(text: string): { readonly json: string; readonly value: JsonValue } | undefined {
  const trimmed = text.trim();
  const fenced = /^```(?:json)?\s*\n([\s\S]*?)\n?```$/i.exec(trimmed)?.[1];
  for (const json of [trimmed, fenced?.trim()]) {
    if (!json) continue;
    try {
      return { json, value: JSON.parse(json) };
    } catch {
      // The other reading may be JSON.
    }
  }
  return undefined;
}

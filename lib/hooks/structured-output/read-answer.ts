import type { JsonValue } from '../../events/values/json-value.ts';

/** The JSON of an answer: all of the text, or what stands in a code block that is all of it. Undefined where it is none. */
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

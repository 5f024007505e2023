import type { JsonObject, JsonValue } from '../../../events/values/json-value.ts';

/** What only its sender reads: changed, it would mean nothing. */
const OPAQUE: readonly string[] = ['cursor', 'nextCursor', 'requestState', 'progressToken', 'elicitationId'];

/** `value` with every text in it redacted, names of members included; data of images, sound and files is left. The same value where nothing is found. */
export function redactLeaves<T extends JsonValue>(value: T, redact: (text: string) => string): T {
  return leaves(value, redact) as T;
}

function leaves(value: JsonValue, redact: (text: string) => string): JsonValue {
  if (typeof value === 'string') return redact(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => leaves(item, redact));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  const object = value as JsonObject;
  const isData = object['type'] === 'image' || object['type'] === 'audio';
  let changed = false;
  const clean = Object.entries(object).map(([key, inner]): [string, JsonValue] => {
    const untouched = OPAQUE.includes(key) || key === 'blob' || (isData && key === 'data');
    const pair: [string, JsonValue] = untouched
      ? [key, inner as JsonValue]
      : [redact(key), leaves(inner as JsonValue, redact)];
    changed ||= pair[0] !== key || pair[1] !== inner;
    return pair;
  });
  return changed ? Object.fromEntries(clean) : value;
}

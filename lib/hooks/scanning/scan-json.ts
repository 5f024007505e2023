import type { JsonObject, JsonValue } from '../../events/values/json-value.ts';
import { isPlaceholder } from '../../pipeline/calls/vault.ts';
import type { Confidence } from '../../redaction/confidence.ts';
import type { Finding, Redactor } from '../../redaction/redactor.ts';
import { memberStream } from '../text/member-stream.ts';

/** A JSON value without the secrets in its strings, keys and numbers; the very same value where there are none. */
export function scanJson<T extends JsonValue>(
  redactor: Redactor,
  value: T,
  leave: readonly Confidence[] = [],
): { value: T; findings: readonly Finding[] } {
  const findings: Finding[] = [];

  function scan(value: JsonValue, key?: string): JsonValue {
    if (typeof value === 'string') return text(value, key);
    if (typeof value === 'number') {
      const written = String(value);
      const shown = text(written, key);
      return shown === written ? value : shown;
    }
    // A sealed value is nobody's to read, and its placeholder must stay what it is.
    if (typeof value !== 'object' || value === null || isPlaceholder(value)) return value;
    if (isList(value)) {
      const items = value.map((item) => scan(item));
      return items.every((item, index) => item === value[index]) ? value : items;
    }
    return scanMembers(value);
  }

  function scanMembers(value: JsonObject): JsonObject {
    const members = Object.entries(value);
    const scanned = members.map(([key, member]) => [text(key), scan(member, key)] as const);
    const same = scanned.every(([key, member], index) => key === members[index]?.[0] && member === members[index]?.[1]);
    return same ? value : Object.fromEntries(scanned);
  }

  function text(value: string, key?: string): string {
    const stream = memberStream(redactor, key, { leave });
    const clean = stream.write(value) + stream.end();
    findings.push(...stream.findings);
    return clean;
  }

  return { value: scan(value) as T, findings };
}

const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value);

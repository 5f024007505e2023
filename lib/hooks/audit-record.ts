import type { JsonValue } from '../events/json-value.ts';
import { boundJson } from './bound-json.ts';
import { cutText } from './cut-text.ts';

/** One line of the audit: its name, what it says, and whether it tells of a failure. Members that are undefined are not written. */
export interface AuditRecord {
  readonly name: string;
  readonly fields: Readonly<Record<string, JsonValue | undefined>>;
  readonly failed?: boolean;
}

/** What the records hold beside the facts; a number bounds the characters of a result. */
export interface AuditDetail {
  readonly args: boolean;
  readonly results: boolean | number;
  readonly chunks: boolean;
}

const STRING_CHARACTERS = 4_096;
const VALUE_CHARACTERS = 16_384;

/** `text` as long as a field of a record may be. */
export function short<T extends string | undefined>(text: T): T {
  return (text === undefined ? undefined : cutText(text, STRING_CHARACTERS)) as T;
}

/** `value` as large as a field of a record may be. */
export function bounded(value: JsonValue): JsonValue {
  return boundJson(value, { perString: STRING_CHARACTERS, total: VALUE_CHARACTERS });
}

import type { JsonValue } from '../../events/values/json-value.ts';
import type { Redactor } from '../../redaction/redactor.ts';

/** One line of the audit: its name, what it says, and whether it tells of a failure. Members that are undefined are not written. */
export interface AuditRecord {
  readonly name: string;
  readonly fields: Readonly<Record<string, JsonValue | undefined>>;
  readonly failed?: boolean;
}

/** What the records hold beside the facts; a number bounds the characters of a result. `redactor` takes secrets out of all of it. */
export interface AuditDetail {
  readonly redactor: Redactor | undefined;
  readonly args: boolean;
  readonly results: boolean | number;
  readonly chunks: boolean;
}

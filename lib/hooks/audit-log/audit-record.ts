import type { JsonValue } from '../../events/values/json-value.ts';
import type { Redactor } from '../../redaction/redactor.ts';

/** One line of the audit: its name, its fields, and whether it records a failure. Undefined fields are omitted. */
export interface AuditRecord {
  readonly name: string;
  readonly fields: Readonly<Record<string, JsonValue | undefined>>;
  readonly failed?: boolean;
}

/** The optional content of records. A number limits the characters of a result. `redactor` removes secrets from all fields. */
export interface AuditDetail {
  readonly redactor: Redactor | undefined;
  readonly args: boolean;
  readonly results: boolean | number;
  readonly chunks: boolean;
}

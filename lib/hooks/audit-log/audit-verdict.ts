/** A place in a file of an audit. */
export interface AuditPlace {
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** A problem and its place. */
export interface AuditBreach extends AuditPlace {
  readonly issue: string;
}

/** The result of `verifyAudit`. */
export interface AuditVerdict {
  /** Whether no breach was found, and the expected line exists. */
  readonly whole: boolean;
  /** The number of lines in the chain. */
  readonly lines: number;
  /** The number of lines before the chain begins. Their writer is unknown, but the chain covers them. */
  readonly unchained: number;
  /** Lines that a crash or a full disk cut short. */
  readonly torn: readonly AuditPlace[];
  /** The first hundred breaches, and their total number. */
  readonly breaches: readonly AuditBreach[];
  readonly breachCount: number;
  /** The hash of a file before the first one, if any. */
  readonly goesOnFrom: string | undefined;
  /** The last line. Its hash covers all lines before it. A copy stored elsewhere shows whether the end was cut off. */
  readonly last: AuditPlace & { readonly hash: string };
}

/** A place in a file of an audit. */
export interface AuditPlace {
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** What is wrong at a place. */
export interface AuditBreach extends AuditPlace {
  readonly fault: string;
}

/** What `verifyAudit` found. */
export interface AuditVerdict {
  /** Whether no breach was found, and what was expected is there. */
  readonly whole: boolean;
  /** How many lines of the chain there are. */
  readonly lines: number;
  /** Lines before the chain begins: nothing says who wrote them, but the chain covers them. */
  readonly unchained: number;
  /** Lines that a crash or a full disk cut short. */
  readonly torn: readonly AuditPlace[];
  /** The first hundred breaches, and how many there are. */
  readonly breaches: readonly AuditBreach[];
  readonly breachCount: number;
  /** The hash over a file before the first one, where there was one. */
  readonly goesOnFrom: string | undefined;
  /** The last line, whose hash stands for all before it: kept elsewhere, it shows whether the end was cut off. */
  readonly last: AuditPlace & { readonly hash: string };
}

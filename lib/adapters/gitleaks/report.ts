/** Collects problems and notices about a file. */
export interface Report {
  /** Reports a problem. No rules are loaded. */
  problem(text: string): void;
  /** Reports a notice. All rules are loaded. */
  notice(text: string): void;
}

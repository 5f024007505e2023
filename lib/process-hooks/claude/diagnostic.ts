/** A notice for the author of a hook, such as output without effect or a missing script. */
export interface Diagnostic {
  /** The kind in kebab-case. */
  readonly code: string;
  readonly event?: string;
  /** The command or URL. */
  readonly hook?: string;
  /** The fact, and the likely mistake. */
  readonly message: string;
}

export type Diagnose = (diagnostic: Diagnostic) => void;

/** Something that a hook's author should know: an output without effect, a script that is not there. */
export interface Diagnostic {
  /** What kind, in kebab-case. */
  readonly code: string;
  readonly event?: string;
  /** The command or address. */
  readonly hook?: string;
  /** What is so, and the likely mistake. */
  readonly message: string;
}

export type Diagnose = (diagnostic: Diagnostic) => void;

/** How replies of a hook are read, because hosts differ. */
export interface Dialect {
  /** `merge` (default): fields missing in a reply are unchanged. `replace`: they are removed, as in the original. */
  readonly reply: 'merge' | 'replace';
  /** Whether changes of tools and system messages apply: `apply` (default; hosts up to 0.2.7) or `keep` (0.2.8 and later). */
  readonly changes: 'apply' | 'keep';
  /** Also accepts names of the wrong dialect (`decision.action`, `args`, `hook_result`, `allow`, `message`), with a warning. */
  readonly aliases: boolean;
}

/** Receives notices about replies that may not do what their author intended. */
export type Diagnose = (code: string, message: string) => void;

/** Context for reading a reply. */
export interface Reading {
  readonly dialect: Dialect;
  readonly diagnose: Diagnose;
}

/** How the replies of a hook are understood; their hosts differ. */
export interface Dialect {
  /** `merge` (default): what a reply leaves out stays. `replace`: it is gone, as in the original. */
  readonly reply: 'merge' | 'replace';
  /** Whether changes of tools and of system messages are taken: `apply` (default; hosts up to 0.2.7) or `keep` (0.2.8 and later). */
  readonly changes: 'apply' | 'keep';
  /** Takes the names of the wrong dialect too (`decision.action`, `args`, `hook_result`, `allow`, `message`), with a warning. */
  readonly aliases: boolean;
}

/** Told of a reply that does not do what its author may think. */
export type Diagnose = (code: string, message: string) => void;

/** What a reply is read with. */
export interface Reading {
  readonly dialect: Dialect;
  readonly diagnose: Diagnose;
}

let beforeFirst: (() => void) | undefined;

/** Calls `work` once, before the first module or regular expression of the user runs: it may block this process. */
export function beforeForeignCode(work: () => void): void {
  beforeFirst = work;
}

/** Tells that foreign code is about to run. */
export function foreignCodeBegins(): void {
  beforeFirst?.();
  beforeFirst = undefined;
}

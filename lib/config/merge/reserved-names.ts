import type { ConfigIssue } from '../issues/config-issue.ts';

/** Prefix of the names of Hookline's own hooks. */
export const OWN_PREFIX = 'hookline:';

interface Named {
  readonly name: string;
  issue(path: readonly PropertyKey[], message: string): ConfigIssue;
}

/** Returns an issue for each hook with the name of one of the host's own hooks. */
export function reservedNameIssues(hooks: readonly Named[], reserved: Iterable<string>): readonly ConfigIssue[] {
  const names = new Set(reserved);
  return hooks.flatMap(({ name, issue }) =>
    names.has(name)
      ? [issue([], `the host has its own hook named "${name}". Use another name, such as "my-${name}".`)]
      : [],
  );
}

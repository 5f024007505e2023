/** An issue of a hook, with its place. */
export interface ContractIssue {
  /** The part of the hook, such as `on.preActing`. */
  readonly where: string;
  readonly issue: string;
}

/** Collects issues without duplicates. */
export interface Issues {
  readonly all: readonly ContractIssue[];
  add(where: string, issue: string): void;
}

export function collectIssues(): Issues {
  const all: ContractIssue[] = [];
  return {
    all,
    add(where, issue) {
      if (!all.some((one) => one.where === where && one.issue === issue)) all.push({ where, issue });
    },
  };
}

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

/** Returns a report without issues. Otherwise throws one error that lists them, with the report. */
export function withoutIssues<R extends { readonly issues: readonly ContractIssue[] }>(broken: string, report: R): R {
  const { issues } = report;
  if (issues.length === 0) return report;
  const list = issues.map(({ where, issue }, index) => `  ${index + 1}. ${where} ${issue}`).join('\n');
  const count = issues.length === 1 ? '1 issue' : `${issues.length} issues`;
  throw Object.assign(new Error(`${broken} (${count}):\n${list}`), { name: 'AssertionError', report });
}

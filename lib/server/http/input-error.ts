import { type ConfigIssue, formatIssues, formatPath } from '../../config/issues/config-issue.ts';
import { HooklineError } from '../../errors.ts';

/** An error that lists all validation errors of a request. `cause` has them as data. */
export function inputError(issues: readonly ConfigIssue[]): HooklineError {
  const lines = formatIssues(issues, ({ file, path, message }) => `${file} ${formatPath(path)}: ${message}`);
  const message = lines.length === 1 ? String(lines[0]) : [`${issues.length} issues:`, ...lines].join('\n');
  return new HooklineError('INPUT_INVALID', message, { cause: { issues } });
}

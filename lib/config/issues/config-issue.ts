import { HooklineError } from '../../errors.ts';
import type { ConfigPath, Place, Source } from '../source/source.ts';

/** An issue of a configuration. */
export interface ConfigIssue extends Place {
  readonly file: string;
  readonly path: ConfigPath;
  /** The actual value, the expected value and the fix. Never contains a secret. */
  readonly message: string;
}

/** A warning about valid configuration that may have an unexpected effect. */
export type ConfigNotice = ConfigIssue;

/** Creates an issue at `path` of a source. */
export function issueAt(source: Source, path: ConfigPath, message: string, part?: 'key' | 'value'): ConfigIssue {
  return { file: source.file, ...source.placeOf(path, part), path, message };
}

/** Formats an issue as `file:line:col path: message`. Issues of `floor` hooks have no file and no line. */
export function formatIssue({ file, line, column, path, message }: ConfigIssue): string {
  return `${line > 0 ? `${file}:${line}:${column}` : file} ${formatPath(path)}: ${message}`;
}

/** Maximum number of parts in a formatted path. Only an attack nests deeper. */
const MOST_PARTS = 40;

/** Formats a path as in code: `hooks.audit.options["x y"][0]`. An empty path is `(top level)`. */
export function formatPath(path: ConfigPath): string {
  if (path.length === 0) return '(top level)';
  if (path.length > MOST_PARTS) return `${formatPath(path.slice(0, MOST_PARTS))}…`;
  return path.map(String).reduce((shown, part, index) => {
    if (typeof path[index] === 'number') return `${shown}[${part}]`;
    if (!/^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(part)) return `${shown}[${JSON.stringify(part)}]`;
    return shown === '' ? part : `${shown}.${part}`;
  }, '');
}

/** Maximum number of issues listed. The rest are counted. */
export const MAX_ISSUES = 50;

/** Formats the first issues, one per line, and the number of the others. */
export function formatIssues(
  issues: readonly ConfigIssue[],
  show: (issue: ConfigIssue) => string = formatIssue,
): string[] {
  const more = issues.length - MAX_ISSUES;
  return [...issues.slice(0, MAX_ISSUES).map(show), ...(more > 0 ? [`and ${more} more`] : [])];
}

/** Creates an error that lists issues, one per line. `cause` holds all of them as data. */
export function configError(issues: readonly ConfigIssue[]): HooklineError {
  const lines = formatIssues(issues);
  const message = lines.length === 1 ? String(lines[0]) : [`${issues.length} issues:`, ...lines].join('\n');
  return new HooklineError('CONFIG_INVALID', message, { cause: { issues } });
}

/** Returns the issues of an error from a configuration or a request. */
export function issuesOf(thrown: unknown): readonly ConfigIssue[] | undefined {
  if (!(thrown instanceof HooklineError)) return undefined;
  return (thrown.cause as { issues?: readonly ConfigIssue[] } | undefined)?.issues;
}

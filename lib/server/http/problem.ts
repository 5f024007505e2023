import { type ConfigIssue, formatPath, issuesOf, MAX_ISSUES } from '../../config/issues/config-issue.ts';
import { isError, propertyOf } from '../../errors/describe-thrown.ts';
import { type ErrorCode, HooklineError } from '../../errors.ts';

/** A validation error with its path as text. */
export type IssueBody = Omit<ConfigIssue, 'path'> & { readonly path: string };

/** Validation errors as responses contain them: the first ones, and the number of the others. */
export function toIssueBodies(all: readonly ConfigIssue[]): {
  readonly issues: readonly IssueBody[];
  readonly more?: number;
} {
  const listed = all.slice(0, MAX_ISSUES);
  const issues = listed.map(({ file, line, column, path, message }) => ({
    file,
    line,
    column,
    path: formatPath(path),
    message,
  }));
  const more = all.length - issues.length;
  return { issues, ...(more > 0 && { more }) };
}

/** The body of every error response. */
export interface Problem {
  readonly error: {
    /** A code of `HooklineError`, or an HTTP status such as `HTTP_404`. */
    readonly code: string;
    readonly message: string;
    readonly issues?: readonly IssueBody[];
    /** The number of further validation errors. */
    readonly more?: number;
  };
}

const statuses: Partial<Record<ErrorCode, number>> = {
  CONFIG_INVALID: 422,
  OPTIONS_INVALID: 422,
  INPUT_INVALID: 422,
  ANSWER_INVALID: 422,
  NOT_JSON: 422,
  STORE_CONFLICT: 412,
  SNAPSHOT_STALE: 409,
  STORE_FAILED: 503,
};

/** What a client may know of a failed store, by the code of the system error. */
const storeFailures: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk of the server is full.',
  EDQUOT: 'The disk quota of the server is exceeded.',
  EROFS: 'The file system of the server is read-only.',
  EACCES: 'The server may not write its state directory.',
  EPERM: 'The server may not write its state directory.',
  EMFILE: 'The server has too many open files.',
  ENFILE: 'The server has too many open files.',
};

/**
 * The response to an error. It has the whole message of an error of the caller. Of an internal error, it has only the code, and the kind of system
 * error if a store failed.
 */
export function problemOf(thrown: unknown): { readonly status: number; readonly problem: Problem } {
  const known = thrown instanceof HooklineError ? statuses[thrown.code] : undefined;
  if (!(thrown instanceof HooklineError) || known === undefined || known >= 500) {
    const code = thrown instanceof HooklineError ? thrown.code : 'HTTP_500';
    return {
      status: known ?? 500,
      problem: { error: { code, message: `${storeFailure(thrown) ?? 'Internal error.'} See the server log.` } },
    };
  }
  const issues = issuesOf(thrown);
  return {
    status: known,
    problem: { error: { code: thrown.code, message: thrown.message, ...(issues && toIssueBodies(issues)) } },
  };
}

function storeFailure(thrown: unknown): string | undefined {
  const seen = new Set<unknown>();
  for (let at = thrown; isError(at) && !seen.has(at); at = at.cause) {
    seen.add(at);
    const code = propertyOf(at, 'code');
    if (typeof code === 'string' && Object.hasOwn(storeFailures, code)) return storeFailures[code];
  }
  return undefined;
}

import type { ConfigFault } from '../config/fault.ts';
import { faultsOf, showPath } from '../config/fault.ts';
import { type ErrorCode, HooklineError } from '../errors.ts';

/** The body of every answer that is an error. */
export interface Problem {
  readonly error: {
    /** A code of `HooklineError`, or one of HTTP: `HTTP_404`. */
    readonly code: string;
    readonly message: string;
    readonly faults?: readonly (Omit<ConfigFault, 'path'> & { readonly path: string })[];
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

/** The answer that tells of an error: what the caller did wrong in full, what went wrong here by its code only. */
export function problemOf(thrown: unknown): { readonly status: number; readonly problem: Problem } {
  const known = thrown instanceof HooklineError ? statuses[thrown.code] : undefined;
  if (!(thrown instanceof HooklineError) || known === undefined || known >= 500) {
    const code = thrown instanceof HooklineError ? thrown.code : 'HTTP_500';
    return {
      status: known ?? 500,
      problem: { error: { code, message: 'Something went wrong here; the log of the server tells what.' } },
    };
  }
  const faults = faultsOf(thrown)?.map(({ path, ...fault }) => ({ ...fault, path: showPath(path) }));
  return {
    status: known,
    problem: { error: { code: thrown.code, message: thrown.message, ...(faults && { faults }) } },
  };
}

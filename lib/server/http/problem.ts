import { type ConfigFault, faultsOf, MOST_FAULTS, showPath } from '../../config/faults/fault.ts';
import { type ErrorCode, HooklineError } from '../../errors.ts';

/** A fault with its path in one text. */
export type ToldFault = Omit<ConfigFault, 'path'> & { readonly path: string };

/** Faults as answers tell them: the first ones, and how many more there are. */
export function toldFaults(all: readonly ConfigFault[]): {
  readonly faults: readonly ToldFault[];
  readonly more?: number;
} {
  const told = all.slice(0, MOST_FAULTS);
  const faults = told.map(({ file, line, column, path, message }) => ({
    file,
    line,
    column,
    path: showPath(path),
    message,
  }));
  const more = all.length - faults.length;
  return { faults, ...(more > 0 && { more }) };
}

/** The body of every answer that is an error. */
export interface Problem {
  readonly error: {
    /** A code of `HooklineError`, or one of HTTP: `HTTP_404`. */
    readonly code: string;
    readonly message: string;
    readonly faults?: readonly ToldFault[];
    /** How many faults there are besides. */
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
  const faults = faultsOf(thrown);
  return {
    status: known,
    problem: { error: { code: thrown.code, message: thrown.message, ...(faults && toldFaults(faults)) } },
  };
}

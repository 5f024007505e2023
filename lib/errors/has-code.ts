import { HooklineError } from '../errors.ts';

/** Returns whether a thrown value is a `HooklineError` with this code. */
export function hasCode(thrown: unknown, code: HooklineError['code']): thrown is HooklineError {
  return thrown instanceof HooklineError && thrown.code === code;
}

import { HooklineError } from '../errors.ts';

export function hasCode(thrown: unknown, code: HooklineError['code']): thrown is HooklineError {
  return thrown instanceof HooklineError && thrown.code === code;
}

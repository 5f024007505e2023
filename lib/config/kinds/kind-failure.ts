import { z } from 'zod';
import { messageOf } from '../../errors/describe-thrown.ts';
import { HooklineError } from '../../errors.ts';

/** Calls a function of a kind. If it fails, the error names the kind and the function. */
export function callKind<T>(kind: string, name: string, call: () => T): T {
  try {
    return call();
  } catch (thrown) {
    const why = messageOf(thrown).replace(/\s+/g, ' ').replace(/\.$/, '');
    throw new HooklineError(
      'HOOK_INVALID',
      `${name}() of the kind "${kind}" failed: ${why}. Correct the module that exports the kind.`,
      { cause: thrown },
    );
  }
}

/** Returns the message for an error of `callKind` or of an asynchronous schema. Throws other errors again. */
export function failureOfKind(kind: string, thrown: unknown): string {
  if (thrown instanceof HooklineError && thrown.code === 'HOOK_INVALID') return thrown.message;
  if (!(thrown instanceof z.core.$ZodAsyncError)) throw thrown;
  return `the kind "${kind}" has an asynchronous optionsSchema. Use synchronous checks in the module that exports the kind.`;
}

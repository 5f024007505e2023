import { HooklineError } from '../../errors.ts';
import { isObject } from '../../events/values/is-object.ts';
import { kindOf } from './wire/fields.ts';

/** Checks a result: an object, or nothing for `{}`. Any other type is an error, as in the original. */
export function assertReply(name: string, method: string, reply: unknown): void {
  if (reply === undefined || reply === null || isObject(reply)) return;
  const issue = `answered ${method} with ${kindOf(reply)}; a result must be an object.`;
  throw new HooklineError('PROCESS_FAILED', `Hook process "${name}" ${issue}`);
}

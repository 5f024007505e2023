import { HooklineError } from '../../errors.ts';
import { isRecord, kindOf } from './wire/fields.ts';

/** A result is an object, or nothing, which stands for `{}`; of any other type it is an error, as in the original. */
export function assertReply(name: string, method: string, reply: unknown): void {
  if (reply === undefined || reply === null || isRecord(reply)) return;
  const issue = `answered ${method} with ${kindOf(reply)}; a result must be an object.`;
  throw new HooklineError('PROCESS_FAILED', `Hook process "${name}" ${issue}`);
}

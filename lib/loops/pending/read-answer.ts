import { isObject } from '../../events/values/is-object.ts';
import type { JsonValue } from '../../events/values/json-value.ts';
import type { HostAnswer } from '../loop-run.ts';

/** Reads an answer: true, false, or `{ approved, reason?, input? }`. Returns `undefined` for any other value. */
export function readAnswer(given: unknown): Omit<HostAnswer, 'pending'> | undefined {
  if (typeof given === 'boolean') return { approved: given };
  const { approved, reason, input } = (given ?? {}) as Readonly<Record<string, JsonValue | undefined>>;
  // An invalid edit must not approve the unedited call.
  if (typeof approved !== 'boolean' || (approved && input !== undefined && !isObject(input))) return undefined;
  return { approved, ...(typeof reason === 'string' && { reason }), ...(isObject(input) && { input }) };
}

import { HooklineError } from '../../errors.ts';
import { withoutUndefined } from '../../events/values/without-undefined.ts';
import { checkKey } from '../documents/check-key.ts';
import type { StateChange, StoreKey } from './state-store.ts';

/** Copies and validates the arguments of a method. An invalid one is `INPUT_INVALID`. */
export function checkState(key: StoreKey, { ifVersion, ttlMs }: StateChange = {}): { key: StoreKey } & StateChange {
  if (ifVersion !== undefined && !(Number.isSafeInteger(ifVersion) && ifVersion >= 0))
    throw wrong('ifVersion', 'the version of an entry, or 0', ifVersion);
  if (ttlMs !== undefined && !(Number.isFinite(ttlMs) && ttlMs > 0))
    throw wrong('ttlMs', 'a number of milliseconds above 0', ttlMs);
  return withoutUndefined({ key: checkKey(key), ifVersion, ttlMs });
}

/** Returns `amount` if it can be added to `value`. */
export function checkSum(key: StoreKey, value: unknown, amount: number): number {
  if (!Number.isFinite(amount)) throw wrong('The amount to add', 'a finite number', amount);
  if (typeof value === 'number') return value + amount;
  throw new HooklineError(
    'INPUT_INVALID',
    `The entry ${JSON.stringify(key)} is not a number, so nothing can be added to it.`,
  );
}

/** Returns the error of a failed compare-and-set. */
export function conflict(key: StoreKey, expected: number, found: number): HooklineError {
  const state = (version: number) => (version === 0 ? 'not there' : `at version ${version}`);
  return new HooklineError(
    'STORE_CONFLICT',
    `The entry ${JSON.stringify(key)} was expected to be ${state(expected)}, but it is ${state(found)}. Read it again, and repeat the change on that.`,
  );
}

function wrong(what: string, expected: string, given: unknown): HooklineError {
  return new HooklineError('INPUT_INVALID', `${what} of a state store must be ${expected}, not ${String(given)}.`);
}

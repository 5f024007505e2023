import { concatMap, defer, map, type Observable, of, retry, throwError } from 'rxjs';
import { HooklineError } from '../../errors.ts';
import type { JsonValue } from '../../events/values/json-value.ts';
import type { StateStore, StoreKey } from './state-store.ts';

/** The outcome of a change: a new value, or none to write, and a result to emit. */
export interface StateUpdate<T> {
  readonly value?: JsonValue;
  readonly ttlMs?: number;
  readonly result: T;
}

/** Maximum number of attempts after conflicts. */
const TRIES = 100;

/** Changes an entry atomically: reads it, calls `change`, and writes the returned value. Retries after a conflict. */
export function updateState<T>(
  store: StateStore,
  key: StoreKey,
  change: (value: JsonValue | undefined) => StateUpdate<T>,
): Observable<T> {
  return defer(() => store.get(key)).pipe(
    concatMap((entry) => {
      const { value, ttlMs, result } = change(entry?.value);
      if (value === undefined) return of(result);
      const condition = { ifVersion: entry?.version ?? 0, ...(ttlMs !== undefined && { ttlMs }) };
      return store.set(key, value, condition).pipe(map(() => result));
    }),
    retry({ count: TRIES, delay: (thrown) => (isConflict(thrown) ? of(true) : throwError(() => thrown)) }),
  );
}

function isConflict(thrown: unknown): boolean {
  return thrown instanceof HooklineError && thrown.code === 'STORE_CONFLICT';
}

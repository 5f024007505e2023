import { concatMap, defer, map, type Observable, of, retry, throwError } from 'rxjs';
import { HooklineError } from '../../errors.ts';
import type { JsonValue } from '../../events/values/json-value.ts';
import type { StateStore, StoreKey } from './state-store.ts';

/** What becomes of an entry: a new value, or nothing to write; and what is told of it. */
export interface StateUpdate<T> {
  readonly value?: JsonValue;
  readonly ttlMs?: number;
  readonly result: T;
}

/** After so many changes by others in between somebody is doing nothing else. */
const TRIES = 100;

/** Changes an entry in one step: reads it, asks `change`, and writes what it gives; again where somebody else was quicker. */
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

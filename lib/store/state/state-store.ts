import type { Observable } from 'rxjs';
import type { JsonValue } from '../../events/values/json-value.ts';

/** The key of an entry: one or more segments of any text, such as `['rate-limit', 'session', 'a1']`. */
export type StoreKey = readonly [string, ...string[]];

/** The entry of a key. */
export interface StateEntry {
  readonly key: StoreKey;
  readonly value: JsonValue;
  /** Differs after each change. The version of a removed or expired entry is not reused. */
  readonly version: number;
  /** Expiry in milliseconds since 1970; absent: never. */
  readonly expiresAt?: number;
}

/** Options of a write. */
export interface StateChange {
  /** Writes only if the entry has this version; 0: only if there is no entry. Otherwise the write fails with `STORE_CONFLICT`. */
  readonly ifVersion?: number;
  /** Milliseconds from now until the entry expires. Default: never. */
  readonly ttlMs?: number;
}

/**
 * Stores state of hooks that outlives a run: counters, permissions of a session, memories. Each method returns a cold Observable that does its work
 * on subscription, emits once and completes. A store in memory does so synchronously, so that hooks run in virtual time. Several processes may share
 * a store. An expired entry behaves like a removed one. Failures are `STORE_FAILED`, with their `cause`. An invalid argument is `INPUT_INVALID`.
 * `stateStoreContract` checks an implementation.
 */
export interface StateStore {
  /** Whether each call is a round trip to another machine. Hooks then take amounts in batches where that is exact. Default: false. */
  readonly isRemote?: boolean;
  get(key: StoreKey): Observable<StateEntry | undefined>;
  /** Writes an entry. With `ifVersion` this is compare-and-set. The value is copied, and must be JSON (`NOT_JSON`). */
  set(key: StoreKey, value: JsonValue, change?: StateChange): Observable<StateEntry>;
  /** Adds to a number atomically and returns the sum. A new entry starts at 0. `ttlMs` applies to a new entry only; later calls do not extend it. */
  add(key: StoreKey, amount: number, change?: Pick<StateChange, 'ttlMs'>): Observable<number>;
  /** Makes an entry expire `ttlMs` milliseconds from now. Returns false if there is none. */
  expire(key: StoreKey, ttlMs: number): Observable<boolean>;
  /** Returns the keys that start with these segments, in no particular order. */
  list(prefix: readonly string[]): Observable<readonly StoreKey[]>;
  /** Removes an entry. Returns false if there is none. */
  remove(key: StoreKey, change?: Pick<StateChange, 'ifVersion'>): Observable<boolean>;
}

import type { Observable } from 'rxjs';
import type { JsonValue } from '../../events/values/json-value.ts';

/** Names an entry by one segment or several, of any text: `['rate-limit', 'session', 'a1']`. */
export type StoreKey = readonly [string, ...string[]];

/** What is kept under a key. */
export interface StateEntry {
  readonly key: StoreKey;
  readonly value: JsonValue;
  /** Another one after each change; that of an entry which was removed, or is over, does not come again. */
  readonly version: number;
  /** When it is forgotten, in milliseconds since 1970; absent: never. */
  readonly expiresAt?: number;
}

/** How an entry is changed. */
export interface StateChange {
  /** Only if the entry has this version; 0: only if there is none. `STORE_CONFLICT` otherwise. */
  readonly ifVersion?: number;
  /** Milliseconds from now until the entry is forgotten. Default: never. */
  readonly ttlMs?: number;
}

/**
 * Where hooks keep what outlives a run: counters, permissions of a session, memories. Each method gives a cold Observable that does its
 * work when it is subscribed to, emits once and completes; a store in memory does so synchronously, so that hooks run in virtual time.
 * Several processes may use one store. An entry whose time is over is as if it had been removed. What goes wrong is `STORE_FAILED`,
 * with its `cause`; a faulty argument is `INPUT_INVALID`. `stateStoreContract` checks an implementation.
 */
export interface StateStore {
  get(key: StoreKey): Observable<StateEntry | undefined>;
  /** Writes an entry; with `ifVersion` this is compare-and-set. The value is copied, and has to be JSON (`NOT_JSON`). */
  set(key: StoreKey, value: JsonValue, change?: StateChange): Observable<StateEntry>;
  /**
   * Adds to a number in one step and gives the sum; an entry that is not there begins at 0, and with `ttlMs` lives that long from then on:
   * later calls do not prolong it.
   */
  add(key: StoreKey, amount: number, change?: Pick<StateChange, 'ttlMs'>): Observable<number>;
  /** Lets an entry be forgotten `ttlMs` milliseconds from now; false where there is none. */
  expire(key: StoreKey, ttlMs: number): Observable<boolean>;
  /** The keys that begin with these segments, in no particular order. */
  list(prefix: readonly string[]): Observable<readonly StoreKey[]>;
  /** Removes an entry; false where there is none. */
  remove(key: StoreKey, change?: Pick<StateChange, 'ifVersion'>): Observable<boolean>;
}

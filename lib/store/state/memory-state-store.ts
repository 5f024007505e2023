import { defer, of } from 'rxjs';
import { toJson } from '../../events/values/to-json.ts';
import { checkPrefix } from '../documents/check-key.ts';
import { checkState, checkSum, conflict } from './check-state.ts';
import type { StateEntry, StateStore, StoreKey } from './state-store.ts';

/** Options of `memoryStateStore`. */
export interface MemoryStateStoreOptions {
  /** Clock in milliseconds since 1970. Default: `Date.now`. In virtual time, pass the `now` of the scheduler. */
  readonly now?: () => number;
}

/** Number of writes between removals of expired entries. */
const SWEEP = 1_000;

/** Stores entries in the memory of the process. All operations are synchronous. */
export function memoryStateStore({ now = () => Date.now() }: MemoryStateStoreOptions = {}): StateStore {
  const entries = new Map<string, StateEntry>();
  let version = 0;

  const isOver = ({ expiresAt }: StateEntry) => expiresAt !== undefined && expiresAt <= now();
  function find(key: StoreKey): StateEntry | undefined {
    const entry = entries.get(JSON.stringify(key));
    return entry && !isOver(entry) ? entry : undefined;
  }
  function keep(entry: Omit<StateEntry, 'version'>): StateEntry {
    version += 1;
    if (version % SWEEP === 0) for (const [name, one] of entries) if (isOver(one)) entries.delete(name);
    const kept = { ...entry, version };
    entries.set(JSON.stringify(entry.key), kept);
    return kept;
  }
  const until = (ttlMs: number | undefined) => (ttlMs === undefined ? {} : { expiresAt: now() + ttlMs });
  const copy = (entry: StateEntry): StateEntry => ({ ...entry, value: structuredClone(entry.value) });
  function compare(key: StoreKey, ifVersion: number | undefined): StateEntry | undefined {
    const found = find(key);
    if (ifVersion !== undefined && ifVersion !== (found?.version ?? 0))
      throw conflict(key, ifVersion, found?.version ?? 0);
    return found;
  }

  return {
    get: (given) =>
      defer(() => {
        const found = find(checkState(given).key);
        return of(found && copy(found));
      }),
    set: (given, value, change) =>
      defer(() => {
        const { key, ifVersion, ttlMs } = checkState(given, change);
        const own = toJson(value, 'value');
        compare(key, ifVersion);
        return of(copy(keep({ key, value: own, ...until(ttlMs) })));
      }),
    add: (given, amount, change) =>
      defer(() => {
        const { key, ttlMs } = checkState(given, change);
        const found = find(key) ?? { key, value: 0, ...until(ttlMs) };
        const value = checkSum(key, found.value, amount);
        keep({ ...found, value });
        return of(value);
      }),
    expire: (given, ttlMs) =>
      defer(() => {
        const { key } = checkState(given, { ttlMs });
        const found = find(key);
        if (found) keep({ ...found, ...until(ttlMs) });
        return of(found !== undefined);
      }),
    list: (given) =>
      defer(() => {
        const prefix = checkPrefix(given);
        const live = [...entries.values()].filter((entry) => !isOver(entry));
        return of(live.map(({ key }) => key).filter((key) => prefix.every((segment, at) => key[at] === segment)));
      }),
    remove: (given, change) =>
      defer(() => {
        const { key, ifVersion } = checkState(given, change);
        const found = compare(key, ifVersion);
        entries.delete(JSON.stringify(key));
        return of(found !== undefined);
      }),
  };
}

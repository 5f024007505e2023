import type { JsonObject } from '../../events/values/json-value.ts';
import { toJson } from '../../events/values/to-json.ts';
import type { RunKey, RunStore } from '../run-store/run-store.ts';

/** How many characters of entries may wait for their store. The runs of a server share it. */
export interface Room {
  left: number;
}

/** Entries of a run whose append has failed. They are appended again, before later ones. */
export interface UnstoredEntries {
  readonly isEmpty: boolean;
  /** Adds entries at the end. Returns those that no store accepts, and those for which there is no room, the newest ones. */
  add(entries: readonly JsonObject[]): {
    readonly invalid: readonly JsonObject[];
    readonly surplus: readonly JsonObject[];
  };
  /** Removes all entries, and returns those that are not in the store. Rejects, and removes none, if the store cannot be read. */
  take(): Promise<readonly JsonObject[]>;
  clear(): void;
}

/** `stored` returns the number of entries in the log of the run before them. `onFound` is called with the number of those that were stored after all. */
export function unstoredEntries(
  store: Pick<RunStore, 'read'>,
  key: RunKey,
  room: Room,
  stored: () => number,
  onFound: (count: number) => void,
): UnstoredEntries {
  /** An entry is checked and measured once, because each attempt may fail. */
  const sizes = new WeakMap<JsonObject, number>();
  let waiting: JsonObject[] = [];

  /** Returns the number of characters of an entry. Infinite: it is not JSON. */
  function sizeOf(entry: JsonObject): number {
    const known = sizes.get(entry);
    if (known !== undefined) return known;
    const size = measure(entry);
    sizes.set(entry, size);
    return size;
  }

  function clear(): void {
    for (const entry of waiting) room.left += sizeOf(entry);
    waiting = [];
  }

  return {
    get isEmpty() {
      return waiting.length === 0;
    },
    clear,
    add(entries) {
      const valid = entries.filter((entry) => sizeOf(entry) < Infinity);
      const invalid = valid.length < entries.length ? entries.filter((entry) => sizeOf(entry) === Infinity) : [];
      for (const [nth, entry] of valid.entries()) {
        if (sizeOf(entry) > room.left) return { invalid, surplus: valid.slice(nth) };
        room.left -= sizeOf(entry);
        waiting.push(entry);
      }
      return { invalid, surplus: [] };
    },
    async take() {
      if (waiting.length === 0) return [];
      // A failed append may have stored entries: all of them, or the first ones.
      const { entries: there } = await store.read(key, stored());
      const isStored = (entry: JsonObject, nth: number) => JSON.stringify(entry) === JSON.stringify(there[nth]);
      const first = waiting.findIndex((entry, nth) => !isStored(entry, nth));
      const found = first < 0 ? waiting.length : first;
      onFound(found);
      const left = waiting.slice(found);
      clear();
      return left;
    },
  };
}

function measure(entry: JsonObject): number {
  try {
    return JSON.stringify(toJson(entry, 'entry')).length;
  } catch {
    return Infinity;
  }
}

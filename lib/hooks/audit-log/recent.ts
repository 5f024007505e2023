/** A map of the entries that were set last: at least `size`, at most twice as many. */
export interface Recent<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): void;
}

/** Uses two maps in turn, because deleting the oldest entry of a map iterates over all deleted ones. */
export function createRecent<K, V>(size: number): Recent<K, V> {
  let now = new Map<K, V>();
  let before = new Map<K, V>();
  return {
    get: (key) => now.get(key) ?? before.get(key),
    set(key, value) {
      if (now.size >= size) {
        before = now;
        now = new Map();
      }
      now.set(key, value);
    },
  };
}

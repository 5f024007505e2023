/** A map that remembers what was put in last: at least `size` entries, at most twice as many. */
export interface Recent<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): void;
}

/** Two maps in turn: taking the oldest entry out of one map walks over all that were taken out before. */
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

/** Reads the host's values of one step. Returns the results of the previous step for unchanged values. */
export type KeepKnown<H, T> = (given: readonly H[]) => readonly T[];

interface Known<T> {
  readonly copy: unknown;
  readonly value: T;
}

/**
 * Reads only values that changed since the previous step. Hosts pass their whole history each time, and the engine recognizes objects that it has
 * frozen. Values are compared with a copy, because hosts may change them in place. `read` must return data of its own. `seen` returns the data that
 * `read` uses.
 */
export function keepKnown<H, T>(read: (host: H) => T, seen: (host: H) => unknown = (host) => host): KeepKnown<H, T> {
  let known: readonly Known<T>[] = [];
  return (given) => {
    known = given.map((host, at) => {
      const before = known[at];
      const data = seen(host);
      return before && isSameData(before.copy, data) ? before : { copy: copyOf(data, []), value: read(host) };
    });
    return known.map(({ value }) => value);
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** Copies plain data. Other objects, such as the bytes of a file, are compared by identity. A circle equals nothing. */
function copyOf(value: unknown, path: readonly unknown[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (path.includes(value)) return Symbol('circle');
  const inner = [...path, value];
  if (Array.isArray(value)) return value.map((item) => copyOf(item, inner));
  const isPlain = Object.getPrototypeOf(Object.getPrototypeOf(value) ?? value) === null;
  if (!isPlain) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(fields.map(([key, field]) => [key, copyOf(field, inner)]));
}

function isSameData(copy: unknown, given: unknown): boolean {
  if (copy === given) return true;
  if (typeof copy !== 'object' || typeof given !== 'object' || copy === null || given === null) return false;
  if (Array.isArray(given)) return Array.isArray(copy) && hasSame(copy, given);
  if (Object.getPrototypeOf(given) !== Object.prototype || Object.getPrototypeOf(copy) !== Object.prototype)
    return false;
  let more = 0;
  for (const key in given) {
    const field = (given as Fields)[key];
    if (field === undefined) continue;
    if (!Object.hasOwn(copy, key) || !isSameData((copy as Fields)[key], field)) return false;
    more += 1;
  }
  for (const _ in copy) more -= 1;
  return more === 0;
}

function hasSame(copy: readonly unknown[], given: readonly unknown[]): boolean {
  if (copy.length !== given.length) return false;
  // By index, because it runs for each part of a conversation on each step.
  for (let at = 0; at < copy.length; at++) if (!isSameData(copy[at], given[at])) return false;
  return true;
}

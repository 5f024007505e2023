/**
 * The paths at which one of these texts is reachable from data that a host received. It searches fields of any kind (symbols, not enumerable, getters,
 * prototypes), Maps and Sets, keys included. It skips data from the host's user (`own`).
 */
export function withinReach(
  received: unknown,
  texts: readonly string[],
  own: readonly object[] = [],
): readonly string[] {
  const seen = new Set<object>(own);
  const found: string[] = [];
  const open: { readonly value: unknown; readonly path: string }[] = [{ value: received, path: '' }];
  const look = (text: string, path: string): void => {
    if (texts.some((one) => text.includes(one))) found.push(`${path}: ${text.slice(0, 80)}`);
  };
  for (let next = open.pop(); next && found.length < 10; next = open.pop()) {
    const { value, path } = next;
    if (typeof value === 'string') look(value, path);
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) continue;
    seen.add(value);
    if (path.split('.').length > 40 || isOfLanguage(value)) continue;
    if (value instanceof Map)
      for (const [key, one] of value)
        open.push({ value: key, path: `${path}.key` }, { value: one, path: `${path}.${String(key)}` });
    if (value instanceof Set) for (const one of value) open.push({ value: one, path: `${path}.member` });
    for (const [name, one] of fieldsOf(value)) {
      look(name, `${path}.${name}`);
      open.push({ value: one, path: `${path}.${name}` });
    }
  }
  return found;
}

function* fieldsOf(value: object): Generator<readonly [string, unknown]> {
  for (let holder: object | null = value; holder && !isOfLanguage(holder); holder = Object.getPrototypeOf(holder))
    for (const key of Reflect.ownKeys(holder)) {
      if (typeof value === 'function' && ['prototype', 'arguments', 'caller'].includes(String(key))) continue;
      let one: unknown;
      try {
        one = (value as Readonly<Record<PropertyKey, unknown>>)[key];
      } catch {
        continue;
      }
      if (one instanceof Promise) one.catch(() => {});
      yield [String(key), one];
    }
}

const OF_LANGUAGE = new Set<object>(
  [Object, Function, Array, Map, Set, Promise, Error, Date, RegExp, String, Number].flatMap((one) => [
    one,
    one.prototype,
  ]),
);

function isOfLanguage(value: object): boolean {
  return OF_LANGUAGE.has(value) || value === globalThis || value === process || ArrayBuffer.isView(value);
}

/** All parts of a stream, unchanged. */
export async function collected(
  stream: AsyncIterable<unknown> | PromiseLike<AsyncIterable<unknown>>,
): Promise<unknown[]> {
  const parts: unknown[] = [];
  for await (const part of await stream) parts.push(part);
  return parts;
}

/** The fields of a host's options that an adapter supports. `hooked` fields have hooks, and `passed` fields reach the host unchanged. */
export interface KnownFields {
  readonly hooked: readonly string[];
  readonly passed: readonly string[];
  /** Fields that are always rejected, with the reason. */
  readonly refused?: Readonly<Record<string, string>>;
}

/**
 * Returns the first rejected field of `given` and the reason, or `undefined`. An unknown field is rejected if it could bypass the hooks: if it
 * contains a function, an instance or a symbol key. Unknown plain data is accepted.
 */
export function checkUnknownFields(given: object, { hooked, passed, refused = {} }: KnownFields): string | undefined {
  for (const key of Reflect.ownKeys(given)) {
    const name = typeof key === 'symbol' ? String(key) : key;
    if (typeof key === 'string' && (hooked.includes(key) || passed.includes(key))) continue;
    const value = (given as Readonly<Record<PropertyKey, unknown>>)[key];
    if (value === undefined) continue;
    if (Object.hasOwn(refused, name)) return `cannot contain ${JSON.stringify(name)}: ${refused[name]}`;
    const live = typeof key === 'symbol' ? 'an opaque value' : liveIn(value, new Set());
    if (live !== undefined)
      return `cannot contain ${JSON.stringify(name)}: it has ${live}, which may bypass the hooks; remove it`;
  }
  return undefined;
}

/** Returns the content of a value that can run code. */
function liveIn(value: unknown, seen: Set<object>): string | undefined {
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null || seen.has(value) || isData(value)) return undefined;
  seen.add(value);
  const { constructor: maker } = value as { readonly constructor?: unknown };
  if (!Array.isArray(value) && !isPlain(value))
    return `an instance of ${typeof maker === 'function' ? maker.name : 'a class'}`;
  for (const key of Reflect.ownKeys(value)) {
    const inner = liveIn((value as Readonly<Record<PropertyKey, unknown>>)[key], seen);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function isData(value: object): boolean {
  return (
    value instanceof Date ||
    value instanceof RegExp ||
    value instanceof URL ||
    value instanceof ArrayBuffer ||
    ArrayBuffer.isView(value)
  );
}

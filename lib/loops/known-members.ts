/** Members of what a host is given that an adapter knows: hooks are around what they do, or the host gets them as they are. */
export interface KnownMembers {
  readonly hooked: readonly string[];
  readonly passed: readonly string[];
  /** Why these are not taken, whatever they hold. */
  readonly refused?: Readonly<Record<string, string>>;
}

/**
 * Which member of `given` is not taken, and why, if there is one: an unknown one that could run or ask something past the hooks, since it holds a
 * function, an instance or something under a symbol. Plain data that nobody knows passes.
 */
export function faultOfUnknown(given: object, { hooked, passed, refused = {} }: KnownMembers): string | undefined {
  for (const key of Reflect.ownKeys(given)) {
    const name = typeof key === 'symbol' ? String(key) : key;
    if (typeof key === 'string' && (hooked.includes(key) || passed.includes(key))) continue;
    const value = (given as Readonly<Record<PropertyKey, unknown>>)[key];
    if (value === undefined) continue;
    if (Object.hasOwn(refused, name)) return `cannot hold ${JSON.stringify(name)}: ${refused[name]}`;
    const held = typeof key === 'symbol' ? 'something that only its maker can read' : liveIn(value, new Set());
    if (held !== undefined)
      return `cannot hold ${JSON.stringify(name)}: it has ${held}, and Hookline does not know whether that runs past the hooks; leave it out`;
  }
  return undefined;
}

/** What in a value can do something by itself. */
function liveIn(value: unknown, seen: Set<object>): string | undefined {
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null || seen.has(value) || isData(value)) return undefined;
  seen.add(value);
  const { constructor: maker } = value as { readonly constructor?: unknown };
  if (!Array.isArray(value) && !isPlain(value))
    return `an instance of ${typeof maker === 'function' ? maker.name : 'a class'}`;
  for (const key of Reflect.ownKeys(value)) {
    const held = liveIn((value as Readonly<Record<PropertyKey, unknown>>)[key], seen);
    if (held !== undefined) return held;
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

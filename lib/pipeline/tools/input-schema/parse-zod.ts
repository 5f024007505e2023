import { z } from 'zod';

type Parsed = z.ZodSafeParseResult<unknown>;

/** What is known of schemas: whether they need to be waited for. */
const needWaiting = new WeakMap<z.ZodType, boolean>();

/** `input` as `schema` makes it: at once, unless one of its refinements or transforms is asynchronous. */
export function parseZod(schema: z.ZodType, input: unknown): Parsed | Promise<Parsed> {
  if (waits(schema)) return schema.safeParseAsync(input);
  try {
    return schema.safeParse(input);
  } catch (thrown) {
    if (!(thrown instanceof z.core.$ZodAsyncError)) throw thrown;
    // A function that is not declared `async` and gives a promise all the same is known from now on.
    needWaiting.set(schema, true);
    return schema.safeParseAsync(input);
  }
}

/** A synchronous parse would begin what an `async` function does and drop its promise, and nobody would take its rejection. */
function waits(schema: z.ZodType): boolean {
  const known = needWaiting.get(schema);
  if (known !== undefined) return known;
  const found = holdsAsync(schema, new Set());
  needWaiting.set(schema, found);
  return found;
}

function holdsAsync(value: unknown, seen: Set<unknown>): boolean {
  if (typeof value === 'function') return value.constructor.name === 'AsyncFunction';
  if (typeof value !== 'object' || value === null || seen.has(value)) return false;
  seen.add(value);
  const inner = (value as { _zod?: { def?: unknown } })._zod;
  if (inner) return holdsAsync(lazySchema(inner.def) ?? inner.def, seen);
  return Object.entries(Object.getOwnPropertyDescriptors(value)).some(([key, descriptor]) =>
    // Any other getter may run what its author has given: a default, say.
    holdsAsync(key === 'shape' ? (value as { shape?: unknown }).shape : descriptor.value, seen),
  );
}

function lazySchema(def: unknown): unknown {
  const { type, getter } = def as { type?: unknown; getter?: () => unknown };
  return type === 'lazy' ? getter?.() : undefined;
}

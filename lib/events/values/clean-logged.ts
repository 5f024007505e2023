import { isError, messageOf, propertyOf, textOf } from '../../errors/describe-thrown.ts';

type Clean = (text: string) => string;

/** Maximum number of nested causes, and of levels of logged values. */
const MOST_LEVELS = 8;

/** Maximum number of visited objects, because an error of an HTTP client may contain its sockets. */
const MOST_OBJECTS = 1_000;

/** One traversal of values that may be circular. */
interface Walk {
  readonly clean: Clean;
  readonly copies: Map<object, unknown>;
}

/** Returns the fields of a log line with texts cleaned by `clean`. Fields may be errors or circular. */
export function cleanLogged<T extends object | string>(fields: T, clean: Clean): T {
  try {
    return cleanAny(fields, { clean, copies: new Map() }) as T;
  } catch {
    // A proxy may throw.
    return { fields: clean(textOf(fields)) } as T;
  }
}

/** Returns the thrown value if it contains no sealed value. Otherwise returns an error with its name, code and fields, and the cleaned texts. */
export function cleanError(thrown: unknown, clean: Clean): unknown {
  return withoutTexts(thrown, { clean, copies: new Map() });
}

function cleanAny(value: unknown, walk: Walk, depth = 0): unknown {
  const { clean, copies } = walk;
  if (typeof value === 'string') return clean(value);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (copies.has(value)) return copies.get(value);
  if (depth > MOST_LEVELS || copies.size > MOST_OBJECTS) return '[left out]';
  if (isError(value)) {
    copies.set(value, '[itself]');
    const error = withoutTexts(value, walk, depth + 1);
    copies.set(value, error);
    return error;
  }
  const copy = (Array.isArray(value) ? [] : {}) as Record<string, unknown>;
  copies.set(value, copy);
  for (const key of Object.keys(value)) {
    const field = cleanAny(propertyOf(value, key), walk, depth + 1);
    Object.defineProperty(copy, clean(key), { value: field, enumerable: true, writable: true, configurable: true });
  }
  return copy;
}

/** Fields that are handled separately. */
const USUAL: readonly string[] = ['message', 'stack', 'name', 'code', 'cause'];

function withoutTexts(thrown: unknown, walk: Walk, depth = 0): unknown {
  const { clean } = walk;
  const texts = ['message', 'stack', 'name', 'code'].map((key) => propertyOf(thrown, key));
  const cause = propertyOf(thrown, 'cause');
  // A cause may be circular.
  const cleanCause = cause === undefined || depth > MOST_LEVELS ? undefined : withoutTexts(cause, walk, depth + 1);
  const further = furtherOf(thrown, walk, depth);
  // Such as the request of an HTTP client. Such fields are not searched twice for sealed values.
  const plain = further.every(([, value]) => typeof value !== 'object' && typeof value !== 'string');
  const same = texts.every((text) => typeof text !== 'string' || clean(text) === text) && cleanCause === cause;
  if (same && plain && (isError(thrown) || clean(messageOf(thrown)) === messageOf(thrown))) return thrown;
  const error = new Error(clean(messageOf(thrown)), cause === undefined ? undefined : { cause: cleanCause });
  const [, stack, name, code] = texts.map((text) => (typeof text === 'string' ? clean(text) : undefined));
  return Object.assign(
    error,
    Object.fromEntries(further),
    stack !== undefined && { stack },
    name !== undefined && { name },
    code !== undefined && { code },
  );
}

/** Returns the fields of an error that not every error has. */
function furtherOf(thrown: unknown, walk: Walk, depth: number): readonly (readonly [string, unknown])[] {
  if (!isError(thrown)) return [];
  return Object.keys(thrown)
    .filter((key) => !USUAL.includes(key))
    .map((key) => [walk.clean(key), cleanAny(propertyOf(thrown, key), walk, depth + 1)]);
}

/** Longest text that is kept of anything thrown, in characters. */
const MAX_TEXT = 10_000;

/** A field of a value that may be anything: a getter may throw, a proxy may be revoked. What cannot be read is `undefined`. */
export function propertyOf(value: unknown, key: string): unknown {
  try {
    return (value as Record<string, unknown> | null | undefined)?.[key];
  } catch {
    return undefined;
  }
}

/** Whether `thrown` is an Error, of whatever realm, or one of the given class; false where it cannot be asked. */
export function isError<E extends Error = Error>(
  thrown: unknown,
  errorClass?: abstract new (...args: never[]) => E,
): thrown is E {
  try {
    if (errorClass) return thrown instanceof errorClass;
    return thrown instanceof Error || /Error\]|Exception\]$/.test(Object.prototype.toString.call(thrown));
  } catch {
    return false;
  }
}

/** What `thrown` says, whatever it is: an Error's message, a string as it is, else its JSON. Never throws; at most 10,000 characters. */
export function messageOf(thrown: unknown): string {
  return isError(thrown) ? textOf(propertyOf(thrown, 'message')) : textOf(thrown);
}

/** Any value as text of at most 10,000 characters. Never throws. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return bounded(value);
  for (const describe of [JSON.stringify, String, Object.prototype.toString.call.bind(Object.prototype.toString)]) {
    try {
      const text: unknown = describe(value);
      if (typeof text === 'string') return bounded(text);
    } catch {
      // The next way may do.
    }
  }
  return 'something that cannot be described';
}

function bounded(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}.. (${text.length - MAX_TEXT} more characters)`;
}

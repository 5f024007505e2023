/** Maximum length of the text of a thrown value, in characters. */
const MAX_TEXT = 10_000;

/** Returns a field of any value, or `undefined` if it cannot be read. A getter may throw, and a proxy may be revoked. */
export function propertyOf(value: unknown, key: string): unknown {
  try {
    return (value as Record<string, unknown> | null | undefined)?.[key];
  } catch {
    return undefined;
  }
}

/** Returns whether `thrown` is an Error of any realm, or an instance of the given class. False if that cannot be determined. */
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

/** Returns the text of any thrown value: the message of an Error, a string unchanged, else its JSON. Never throws. At most 10,000 characters. */
export function messageOf(thrown: unknown): string {
  return isError(thrown) ? textOf(propertyOf(thrown, 'message')) : textOf(thrown);
}

/** Formats any value as text of at most 10,000 characters. Never throws. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return bounded(value);
  for (const describe of [JSON.stringify, String, Object.prototype.toString.call.bind(Object.prototype.toString)]) {
    try {
      const text: unknown = describe(value);
      if (typeof text === 'string') return bounded(text);
    } catch {
      // The next format may work.
    }
  }
  return 'something that cannot be described';
}

function bounded(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}.. (${text.length - MAX_TEXT} more characters)`;
}

/** A place where a value differs from the expected value. */
export interface Difference {
  readonly path: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

/**
 * Returns the differences between `actual` and `expected`. Objects are compared by the fields of `expected`, arrays by item, and regular expressions
 * are matched. An expected `undefined` means that the field is missing.
 */
export function differences(actual: unknown, expected: unknown, path = ''): readonly Difference[] {
  if (Object.is(actual, expected)) return [];
  if (expected instanceof RegExp) {
    return typeof actual === 'string' && expected.test(actual) ? [] : [{ path, expected, actual }];
  }
  if (!isObject(actual) || !isObject(expected) || Array.isArray(actual) !== Array.isArray(expected)) {
    return [{ path, expected, actual }];
  }
  const at = (key: string) => (path === '' ? key : `${path}.${key}`);
  const found = Object.keys(expected).flatMap((key) => differences(actual[key], expected[key], at(key)));
  const surplus = Array.isArray(actual) ? Object.keys(actual).filter((key) => !(key in expected)) : [];
  return [...found, ...surplus.map((key) => ({ path: at(key), expected: undefined, actual: actual[key] }))];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

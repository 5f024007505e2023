/** A place where a value is not as expected. */
export interface Difference {
  readonly path: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

/**
 * Where `actual` differs from `expected`, of which objects are compared by the fields that they have, arrays item by item, and a regular
 * expression is matched. An expected `undefined` says that the field is absent.
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

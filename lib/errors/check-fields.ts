import { nearestName } from './nearest-name.ts';

/** Returns why `options` is not an object with only the fields `names`, or `undefined`. Does not read values, so it is cheap for each event. */
export function checkFields(options: unknown, names: readonly string[]): string | undefined {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    return `must be an object that may hold ${names.join(', ')}`;
  }
  for (const key in options) {
    if (names.includes(key)) continue;
    const near = nearestName(key, names);
    return `cannot hold "${key}"${near === undefined ? '' : ` (did you mean "${near}"?)`}, only ${names.join(', ')}`;
  }
  return undefined;
}

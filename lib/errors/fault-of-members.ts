import { nearestName } from './nearest-name.ts';

/** Why `options` cannot be an object of none but `names`, if so. Cheap, for what is called at each event: the values are not looked at. */
export function faultOfMembers(options: unknown, names: readonly string[]): string | undefined {
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

/**
 * What all copies of this package in the process share: there may be one of each module system, and one more in each bundle. `name` changes
 * with the shape of what is shared.
 */
export function processWide<T>(name: string, make: () => T): T {
  const key = Symbol.for(`hookline.${name}`);
  const holder = globalThis as Record<symbol, unknown>;
  holder[key] ??= make();
  return holder[key] as T;
}

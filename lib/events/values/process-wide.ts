/**
 * Returns a value that all copies of this package in the process share. There may be a copy per module system and per bundle. `name` changes with the
 * type of the value.
 */
export function processWide<T>(name: string, make: () => T): T {
  const key = Symbol.for(`hookline.${name}`);
  const holder = globalThis as Record<symbol, unknown>;
  holder[key] ??= make();
  return holder[key] as T;
}

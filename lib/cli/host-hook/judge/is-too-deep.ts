/** Maximum nesting of the JSON of a call. */
export const MOST_LEVELS = 500;

/** Returns whether a value is nested deeper than `MOST_LEVELS`. Code that visits all of it would overflow the stack. */
export function isTooDeep(value: unknown, levels = MOST_LEVELS): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((field) => isTooDeep(field, levels - 1));
}

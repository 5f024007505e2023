/** As many levels as the JSON of a call may have. */
export const MOST_LEVELS = 500;

/** Whether a value is nested deeper than that: code that visits all of it would overflow the stack. */
export function isTooDeep(value: unknown, levels = MOST_LEVELS): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((field) => isTooDeep(field, levels - 1));
}

/** Gathers the values of an option that may come several times. */
export function append(value: string, values: readonly string[]): readonly string[] {
  return [...values, value];
}

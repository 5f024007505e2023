/** Collects the values of a repeatable option. */
export function append(value: string, values: readonly string[]): readonly string[] {
  return [...values, value];
}

/** Serializes the fields of an object without the braces, to be joined with other fields. */
export function jsonFields(object: object): string {
  return JSON.stringify(object).slice(1, -1);
}

/** The members of an object as JSON, without the braces: to be put beside others. */
export function jsonMembers(object: object): string {
  return JSON.stringify(object).slice(1, -1);
}

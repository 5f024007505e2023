/** Only these characters: a name, or a list of names. */
const NAMES = /^[A-Za-z0-9_\- ,|]*$/;

/**
 * A matcher as Claude Code reads it (facts 1.3): nothing or `*` for all, a name or a list of names split by `|` or `,`, and anything else an
 * unanchored regular expression. Case counts. One that cannot be compiled matches nothing but itself.
 */
export function createMatcher(matcher: string): (field: string) => boolean {
  if (matcher === '' || matcher === '*') return () => true;
  if (NAMES.test(matcher)) {
    const names = matcher.split(/[|,]/).map((name) => name.trim());
    return (field) => names.includes(field);
  }
  try {
    const pattern = new RegExp(matcher);
    return (field) => pattern.test(field);
  } catch {
    return (field) => field === matcher;
  }
}

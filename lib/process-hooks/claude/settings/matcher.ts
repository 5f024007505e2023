import { messageOf } from '../../../errors/describe-thrown.ts';
import { HooklineError } from '../../../errors.ts';

/** Only these characters: a name, or a list of names. */
const NAMES = /^[A-Za-z0-9_\- ,|]*$/;

/**
 * Compiles a matcher like Claude Code: empty or `*` for all, names separated by `|` or `,`, or else an unanchored regular expression. It is
 * case-sensitive. An invalid expression throws `INPUT_INVALID`, because its guard would never run.
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
  } catch (thrown) {
    const why = messageOf(thrown);
    throw new HooklineError(
      'INPUT_INVALID',
      `Claude settings: the matcher ${JSON.stringify(matcher)} is not a valid regular expression (${why}).`,
    );
  }
}

import { createColors } from 'picocolors';

/** Colours for stdout: on a terminal only, and not where NO_COLOR is set. */
export function colours(): ReturnType<typeof createColors> {
  const { NO_COLOR: none, TERM: term } = process.env;
  return createColors(process.stdout.isTTY === true && !none && term !== 'dumb');
}

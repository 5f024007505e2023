import { createColors } from 'picocolors';

/** Returns colours for stdout: on a terminal only, and not if NO_COLOR is set. */
export function colours(): ReturnType<typeof createColors> {
  const { NO_COLOR: none, TERM: term } = process.env;
  return createColors(process.stdout.isTTY === true && !none && term !== 'dumb');
}

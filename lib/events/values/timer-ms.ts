import { z } from 'zod';

/** What a timer can wait, in milliseconds, some 24 days; a longer one goes off at once. */
export const LONGEST_WAIT_MS = 2 ** 31 - 1;

/** A time that somebody waits, in milliseconds, at most what a timer can. With `zero` it may be none; `spare` is for a timer that waits longer. */
export function timerMs({ zero = false, spare = 0 } = {}) {
  const max = LONGEST_WAIT_MS - spare;
  const ms = zero ? z.number().nonnegative() : z.number().positive();
  return ms.max(max, `must be at most ${max}, some 24 days: timers cannot wait longer`);
}

/** A time that may also be `Infinity`: zod's numbers are finite. */
export function endlessOr<T extends z.ZodType>(ms: T) {
  return z.preprocess((given) => (given === Number.POSITIVE_INFINITY ? undefined : given), ms.optional());
}

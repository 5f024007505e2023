import { z } from 'zod';

/** Maximum delay of a timer in milliseconds, about 24 days. A longer one fires at once. */
export const LONGEST_WAIT_MS = 2 ** 31 - 1;

/** Schema of a time in milliseconds, up to the maximum of a timer. `zero` allows 0. `spare` leaves room for a timer that waits longer. */
export function timerMs({ zero = false, spare = 0 } = {}) {
  const max = LONGEST_WAIT_MS - spare;
  const ms = zero ? z.number().nonnegative() : z.number().positive();
  return ms.max(max, `must be at most ${max}, some 24 days: timers cannot wait longer`);
}

/** Schema of a time that may be `Infinity`, because zod's numbers are finite. */
export function endlessOr<T extends z.ZodType>(ms: T) {
  return z.preprocess((given) => (given === Number.POSITIVE_INFINITY ? undefined : given), ms.optional());
}

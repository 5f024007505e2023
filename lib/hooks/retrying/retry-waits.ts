import { z } from 'zod';
import { timerMs } from '../../events/values/timer-ms.ts';
import { retryAfterMs } from './error-class.ts';

/** The delays between attempts. */
export interface RetryWaits {
  readonly delayMs: number;
  readonly maxDelayMs: number;
  readonly jitter: number;
}

/** Creates the delay options of a hook. `what` is the failed operation, for the description. */
export function retryWaitOptions(what: string, { delayMs, maxDelayMs }: Omit<RetryWaits, 'jitter'>) {
  return {
    delayMs: timerMs({ zero: true })
      .default(delayMs)
      .describe('Delay before the second attempt, in milliseconds. It doubles with each further attempt.'),
    maxDelayMs: timerMs({ zero: true })
      .default(maxDelayMs)
      .describe('Maximum delay, in milliseconds. A longer Retry-After ends the attempts.'),
    jitter: z
      .number()
      .min(0)
      .max(1)
      .default(0.5)
      .describe(`Random fraction of each delay, so that ${what} that failed together are not retried together.`),
  };
}

/** Checks that the delays do not contradict each other. */
export const waitsFit = ({ delayMs, maxDelayMs }: Omit<RetryWaits, 'jitter'>): boolean => delayMs <= maxDelayMs;
export const waitsMisfit = { message: 'must be at least delayMs', path: ['maxDelayMs'] };

/**
 * Returns the milliseconds to wait after an attempt. Returns undefined if the server requests more than `maxDelayMs`. `random` returns a number from
 * 0 to 1.
 */
export function retryWait(
  { delayMs, maxDelayMs, jitter }: RetryWaits,
  random: () => number,
  { attempt, thrown, now }: { readonly attempt: number; readonly thrown: unknown; readonly now: number },
): number | undefined {
  const wanted = retryAfterMs(thrown, now) ?? 0;
  if (wanted > maxDelayMs) return undefined;
  const delay = Math.min(maxDelayMs, delayMs * 2 ** (attempt - 1));
  return Math.max(wanted, delay * (1 - jitter * random()));
}

import { z } from 'zod';
import { timerMs } from '../../events/values/timer-ms.ts';
import { retryAfterMs } from './error-class.ts';

/** How long to wait between attempts. */
export interface RetryWaits {
  readonly delayMs: number;
  readonly maxDelayMs: number;
  readonly jitter: number;
}

/** The options of a hook that waits between attempts; `what` failed together, for the description. */
export function retryWaitOptions(what: string, { delayMs, maxDelayMs }: Omit<RetryWaits, 'jitter'>) {
  return {
    delayMs: timerMs({ zero: true })
      .default(delayMs)
      .describe('How long to wait before the second attempt, in milliseconds; twice as long before each further one.'),
    maxDelayMs: timerMs({ zero: true })
      .default(maxDelayMs)
      .describe('The longest wait, in milliseconds. Whoever wants to be left alone for longer is not asked again.'),
    jitter: z
      .number()
      .min(0)
      .max(1)
      .default(0.5)
      .describe(
        `The part of each wait that is left to chance, so that ${what} which failed together do not return together.`,
      ),
  };
}

/** What is wrong with waits that contradict each other. */
export const waitsFit = ({ delayMs, maxDelayMs }: Omit<RetryWaits, 'jitter'>): boolean => delayMs <= maxDelayMs;
export const waitsMisfit = { message: 'must not be less than delayMs', path: ['maxDelayMs'] };

/** Milliseconds to wait after so many attempts; nothing where the other side wants longer than `maxDelayMs`. `random` gives a number from 0 to 1. */
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

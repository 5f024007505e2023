import { z } from 'zod';
import { timerMs } from '../../events/values/timer-ms.ts';
import { errorClasses } from './error-class.ts';

const names = z.array(z.string().min(1));

/** The options of `toolRetry` with their defaults. */
export const toolRetryOptionsSchema = z
  .strictObject({
    name: z.string().min(1).default('tool-retry').describe('Name of the hook.'),
    tools: names.default(['*']).describe('Names of tools that only read and may run again; * and ? are wildcards.'),
    repeatable: names
      .default([])
      .describe('Names of tools that write or are external and may run again nevertheless: twice does no harm.'),
    on: z
      .array(z.enum(errorClasses))
      .default(['timeout', 'network', 'rateLimit', 'server'])
      .describe('After which failures: by their codes and HTTP states; other is all the rest.'),
    errorTexts: names
      .default([])
      .describe('A failure whose text contains one of these is tried again too, thrown or as an error result.'),
    attempts: z.int().min(2).max(20).default(3).describe('How often a call is run at most.'),
    delayMs: timerMs({ zero: true })
      .default(500)
      .describe('How long to wait before the second attempt, in milliseconds; twice as long before each further one.'),
    maxDelayMs: timerMs({ zero: true })
      .default(30_000)
      .describe('The longest wait, in milliseconds. Whoever wants to be left alone for longer is not asked again.'),
    jitter: z
      .number()
      .min(0)
      .max(1)
      .default(0.5)
      .describe(
        'The part of each wait that is left to chance, so that calls which failed together do not return together.',
      ),
  })
  .refine(({ on, errorTexts }) => on.length + errorTexts.length > 0, {
    message: 'needs a kind of failure, or errorTexts',
    path: ['on'],
  })
  .refine(({ delayMs, maxDelayMs }) => delayMs <= maxDelayMs, {
    message: 'must not be less than delayMs',
    path: ['maxDelayMs'],
  });

/** The options of `toolRetry` as they are given; all may be left out. */
export type ToolRetryOptions = z.input<typeof toolRetryOptionsSchema>;

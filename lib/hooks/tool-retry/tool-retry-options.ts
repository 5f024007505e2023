import { z } from 'zod';
import { errorClasses } from '../retrying/error-class.ts';
import { retryWaitOptions, waitsFit, waitsMisfit } from '../retrying/retry-waits.ts';

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
    ...retryWaitOptions('calls', { delayMs: 500, maxDelayMs: 30_000 }),
  })
  .refine(({ on, errorTexts }) => on.length + errorTexts.length > 0, {
    message: 'needs a kind of failure, or errorTexts',
    path: ['on'],
  })
  .refine(waitsFit, waitsMisfit);

/** The options of `toolRetry` as they are given; all may be left out. */
export type ToolRetryOptions = z.input<typeof toolRetryOptionsSchema>;

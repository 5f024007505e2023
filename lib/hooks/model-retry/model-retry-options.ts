import { z } from 'zod';
import { errorClasses } from '../retrying/error-class.ts';
import { retryWaitOptions, waitsFit, waitsMisfit } from '../retrying/retry-waits.ts';

/** The options of `modelRetry` with their defaults. */
export const modelRetryOptionsSchema = z
  .strictObject({
    name: z.string().min(1).default('model-retry').describe('Name of the hook.'),
    on: z
      .array(z.enum(errorClasses))
      .default(['timeout', 'network', 'rateLimit', 'server'])
      .describe('Failures to retry, by code and HTTP status (429, 5xx, 408). other is every other failure.'),
    errorTexts: z
      .array(z.string().min(1))
      .default([])
      .describe('A failure whose message contains one of these texts is retried too.'),
    attempts: z.int().min(2).max(20).default(3).describe('Maximum number of attempts of a request.'),
    ...retryWaitOptions('requests', { delayMs: 1_000, maxDelayMs: 60_000 }),
    afterText: z
      .boolean()
      .default(true)
      .describe(
        'Retries a request that fails after its first chunk. The new attempt retracts the output that was shown. false: such a request fails.',
      ),
  })
  .refine(({ on, errorTexts }) => on.length + errorTexts.length > 0, {
    message: 'must contain a kind of failure, or errorTexts must be set',
    path: ['on'],
  })
  .refine(waitsFit, waitsMisfit);

/** The options of `modelRetry` before defaults; all are optional. */
export type ModelRetryOptions = z.input<typeof modelRetryOptionsSchema>;

import { z } from 'zod';
import { errorClasses } from '../retrying/error-class.ts';
import { retryWaitOptions, waitsFit, waitsMisfit } from '../retrying/retry-waits.ts';

const names = z.array(z.string().min(1));

/** The options of `toolRetry` with their defaults. */
export const toolRetryOptionsSchema = z
  .strictObject({
    name: z.string().min(1).default('tool-retry').describe('Name of the hook.'),
    tools: names.default(['*']).describe('Read-only tools to retry; * and ? are wildcards.'),
    repeatable: names.default([]).describe('Idempotent write or external tools to retry, too; * and ? are wildcards.'),
    on: z
      .array(z.enum(errorClasses))
      .default(['timeout', 'network', 'rateLimit', 'server'])
      .describe('Failures to retry, by code and HTTP status. other is every other failure.'),
    errorTexts: names
      .default([])
      .describe('Also retries failures that contain one of these texts, thrown or as an error result.'),
    attempts: z.int().min(2).max(20).default(3).describe('Maximum number of attempts.'),
    ...retryWaitOptions('calls', { delayMs: 500, maxDelayMs: 30_000 }),
  })
  .refine(({ on, errorTexts }) => on.length + errorTexts.length > 0, {
    message: 'must contain a kind of failure, or errorTexts must be set',
    path: ['on'],
  })
  .refine(waitsFit, waitsMisfit);

/** The options of `toolRetry` before defaults; all are optional. */
export type ToolRetryOptions = z.input<typeof toolRetryOptionsSchema>;

import { z } from 'zod';
import { timerMs } from '../../events/values/timer-ms.ts';

const summarySchema = z.strictObject({
  model: z
    .string()
    .min(1)
    .exactOptional()
    .describe('The name of the model that summarises. Default: the model of the run.'),
  maxTokens: z.int().positive().default(1_000).describe('How long a summary may be.'),
  timeoutMs: timerMs().default(60_000).describe('After so long the old messages are left out without a summary.'),
});

/** The options of `autoContext` with their defaults. */
export const autoContextOptionsSchema = z
  .strictObject({
    name: z.string().min(1).default('auto-context').describe('Name of the hook.'),
    maxTokens: z
      .int()
      .positive()
      .default(100_000)
      .describe('How many tokens a request may have, tools included. Leave room for the answer.'),
    shrinkTo: z
      .number()
      .gt(0)
      .lt(1)
      .default(0.6)
      .describe(
        'Once a request is too long it shrinks to this fraction of maxTokens, so that the next ones begin alike and caches of the provider hold.',
      ),
    keepLast: z
      .int()
      .nonnegative()
      .default(8)
      .describe('So many of the last messages stay as they are, unless there is no other way.'),
    keepChars: z
      .int()
      .nonnegative()
      .default(400)
      .describe('How many characters of an old tool result are kept: half from its beginning, half from its end.'),
    offload: z
      .boolean()
      .default(true)
      .describe('Whether big results that are shortened go into the store, with a tool that reads them back.'),
    offloadFrom: z.int().positive().default(4_000).describe('From so many characters on a result counts as big.'),
    toolName: z
      .string()
      .regex(/^[a-zA-Z_][\w-]{0,63}$/, 'must be a name of letters, digits, _ and -')
      .default('read_result')
      .describe('The name of that tool.'),
    summary: z
      .union([z.literal(false), summarySchema])
      .default(summarySchema.parse({}))
      .describe('How old messages are summarised when shortening is not enough. false: they are left out.'),
    keepDays: z
      .number()
      .positive()
      .default(30)
      .describe('The summary and the offloaded results of a session are forgotten so long after its last run.'),
  })
  .superRefine(({ keepChars, offload, offloadFrom, summary, maxTokens, shrinkTo }, context) => {
    // What is wrong by itself is not compared.
    if (context.issues.length > 0) return;
    if (offload && offloadFrom <= keepChars)
      context.addIssue({
        code: 'custom',
        path: ['offloadFrom'],
        message: `must be more than keepChars (${keepChars}): shorter results are kept whole`,
      });
    if (summary && summary.maxTokens * 2 > maxTokens * shrinkTo)
      context.addIssue({
        code: 'custom',
        path: ['summary', 'maxTokens'],
        message: `is more than half of what a request shrinks to (${Math.floor(maxTokens * shrinkTo)} tokens)`,
      });
  });

/** The options of `autoContext` as they are given; all may be left out. */
export type AutoContextOptions = z.input<typeof autoContextOptionsSchema>;
/** The options with their defaults. */
export type AutoContextSettings = z.output<typeof autoContextOptionsSchema>;

import { z } from 'zod';
import { timerMs } from '../../events/values/timer-ms.ts';

const summarySchema = z.strictObject({
  model: z.string().min(1).exactOptional().describe('Model that writes the summary (default: the model of the run).'),
  maxTokens: z.int().positive().default(1_000).describe('Maximum length of a summary, in tokens.'),
  timeoutMs: timerMs()
    .default(60_000)
    .describe('Timeout of the summary, in milliseconds. Afterwards, old messages are dropped without a summary.'),
});

/** The options of `autoContext` with their defaults. */
export const autoContextOptionsSchema = z
  .strictObject({
    name: z.string().min(1).default('auto-context').describe('Name of the hook.'),
    maxTokens: z
      .int()
      .positive()
      .default(100_000)
      .describe('Maximum number of tokens of a model request, tools included. Reserve tokens for the answer.'),
    shrinkTo: z
      .number()
      .gt(0)
      .lt(1)
      .default(0.6)
      .describe(
        'Fraction of maxTokens that a request shrinks to. Later requests then share a prefix, which keeps the cache of the provider valid.',
      ),
    keepLast: z.int().nonnegative().default(8).describe('Number of recent messages that stay unchanged if possible.'),
    keepChars: z
      .int()
      .nonnegative()
      .default(400)
      .describe('Characters to keep of an old tool result, half from its beginning and half from its end.'),
    offload: z
      .boolean()
      .default(true)
      .describe('Stores large results that are shortened, and offers a tool that reads them.'),
    offloadFrom: z.int().positive().default(4_000).describe('Minimum number of characters of a large result.'),
    toolName: z
      .string()
      .regex(/^[a-zA-Z_][\w-]{0,63}$/, 'must be a name with only letters, digits, _ and -')
      .default('read_result')
      .describe('Name of the tool.'),
    summary: z
      .union([z.literal(false), summarySchema])
      .default(summarySchema.parse({}))
      .describe('How to summarise old messages if shortening is not enough. false drops them.'),
    keepDays: z
      .number()
      .positive()
      .default(30)
      .describe(
        'How long the summary and the offloaded results of a session are kept after its last run, in milliseconds.',
      ),
  })
  .superRefine(({ keepChars, offload, offloadFrom, summary, maxTokens, shrinkTo }, context) => {
    // Options with their own issues are not compared.
    if (context.issues.length > 0) return;
    if (offload && offloadFrom <= keepChars)
      context.addIssue({
        code: 'custom',
        path: ['offloadFrom'],
        message: `must be greater than keepChars (${keepChars}), because shorter results are not shortened`,
      });
    if (summary && summary.maxTokens * 2 > maxTokens * shrinkTo)
      context.addIssue({
        code: 'custom',
        path: ['summary', 'maxTokens'],
        message: `must be at most half of the size that a request shrinks to (${Math.floor(maxTokens * shrinkTo)} tokens)`,
      });
  });

/** The options of `autoContext` before defaults; all are optional. */
export type AutoContextOptions = z.input<typeof autoContextOptionsSchema>;
/** The options with their defaults. */
export type AutoContextSettings = z.output<typeof autoContextOptionsSchema>;

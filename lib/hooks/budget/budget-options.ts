import { z } from 'zod';
import { priceSchema } from '../tokens/prices.ts';
import { withoutUserOption } from '../without-user.ts';

/** What is counted. */
export const resourceSchema = z.enum(['tokens', 'inputTokens', 'outputTokens', 'cost', 'steps', 'calls', 'ms']);

/** One limit of `budget`. */
export const budgetLimitSchema = z
  .strictObject({
    of: resourceSchema.describe(
      'What is counted: tokens, money, questions to the model (steps), calls of tools, or the time that runs take.',
    ),
    per: z
      .enum(['run', 'session', 'user'])
      .default('run')
      .describe('Whose: of a run with its sub-agents, a session or a user.'),
    withoutUser: withoutUserOption(),
    max: z.number().positive().describe('How much there is. Of cost in the currency, of ms in milliseconds.'),
    windowMs: z
      .number()
      .positive()
      .exactOptional()
      .describe('With session and user: so long after the first use, counting begins anew. Default: never.'),
    warnAt: z
      .number()
      .gt(0)
      .lt(1)
      .exactOptional()
      .describe('The fraction of max from which on a note and a line in the log warn, once.'),
    onLimit: z
      .enum(['warn', 'finish', 'abort'])
      .default('finish')
      .describe('What happens at max. warn: a note and a line in the log. finish: a last answer without tools. abort.'),
  })
  .refine(({ per, windowMs }) => per !== 'run' || windowMs === undefined, {
    message: 'goes with per: session or user; a run is counted as long as it lasts',
    path: ['windowMs'],
  })
  .refine(({ per, withoutUser }) => per === 'user' || withoutUser === undefined, {
    message: 'goes with per: user',
    path: ['withoutUser'],
  });

/** The options of `budget` with their defaults. */
export const budgetOptionsSchema = z
  .strictObject({
    name: z.string().min(1).default('budget').describe('Name of the hook.'),
    limits: z.array(budgetLimitSchema).min(1, 'needs at least one limit').describe('All of them hold.'),
    prices: z
      .record(z.string().min(1), priceSchema)
      .default({})
      .describe('What models cost, by name; * and ? are wildcards, and the closest name counts.'),
    currency: z.string().min(1).default('USD').describe('What the prices are in; only shown.'),
  })
  .superRefine(({ limits, prices }, context) => {
    const seen = new Map<string, number>();
    for (const [index, { of, per, windowMs = 0, withoutUser = 'session', onLimit }] of limits.entries()) {
      const path = ['limits', index];
      if (of === 'cost' && Object.keys(prices).length === 0)
        context.addIssue({
          code: 'custom',
          path: [...path, 'of'],
          message: `cost needs prices, such as prices: { '*': { input: 3, output: 15 } }`,
        });
      const same = JSON.stringify([of, per, windowMs, withoutUser, onLimit]);
      const first = seen.get(same);
      if (first !== undefined)
        context.addIssue({ code: 'custom', path, message: `says the same as limits.${first}; keep one of them` });
      else seen.set(same, index);
    }
  });

/** The options of `budget` as they are given. */
export type BudgetOptions = z.input<typeof budgetOptionsSchema>;
/** A limit with its defaults. */
export type BudgetLimit = z.output<typeof budgetLimitSchema>;
/** What is counted. */
export type Resource = z.output<typeof resourceSchema>;

import { z } from 'zod';
import { priceOptions } from '../tokens/prices.ts';
import { withoutUserOption } from '../without-user.ts';

/** The resources that limits count. */
const resourceSchema = z.enum(['tokens', 'inputTokens', 'outputTokens', 'cost', 'steps', 'calls', 'ms']);

const budgetLimitSchema = z
  .strictObject({
    of: resourceSchema.describe(
      'What to count: tokens, cost, model requests (steps), tool calls, or the time of runs.',
    ),
    per: z
      .enum(['run', 'session', 'user'])
      .default('run')
      .describe('Scope of the counter: a run with its sub-agents, a session or a user.'),
    withoutUser: withoutUserOption(),
    max: z.number().positive().describe('The limit. cost is in the currency, ms in milliseconds.'),
    windowMs: z
      .number()
      .positive()
      .exactOptional()
      .describe('For session and user: time after the first use at which the counter resets (default: never).'),
    warnAt: z
      .number()
      .gt(0)
      .lt(1)
      .exactOptional()
      .describe('Fraction of max at which the hook warns once, with a note and a log line.'),
    onLimit: z
      .enum(['warn', 'finish', 'abort'])
      .default('finish')
      .describe(
        'Action at max. warn: a note and a log line. finish: a last answer without tools. abort: the run ends.',
      ),
  })
  .refine(({ per, windowMs }) => per !== 'run' || windowMs === undefined, {
    message: 'requires per: session or user',
    path: ['windowMs'],
  })
  .refine(({ per, withoutUser }) => per === 'user' || withoutUser === undefined, {
    message: 'requires per: user',
    path: ['withoutUser'],
  });

/** The options of `budget` with their defaults. */
export const budgetOptionsSchema = z
  .strictObject({
    name: z.string().min(1).default('budget').describe('Name of the hook.'),
    limits: z.array(budgetLimitSchema).min(1, 'must contain at least one limit').describe('Limits. All of them apply.'),
    ...priceOptions,
  })
  .superRefine(({ limits, prices }, context) => {
    const seen = new Map<string, number>();
    for (const [index, { of, per, windowMs = 0, withoutUser = 'session', onLimit }] of limits.entries()) {
      const path = ['limits', index];
      if (of === 'cost' && Object.keys(prices).length === 0)
        context.addIssue({
          code: 'custom',
          path: [...path, 'of'],
          message: `requires prices, such as prices: { '*': { input: 3, output: 15 } }`,
        });
      const same = JSON.stringify([of, per, windowMs, withoutUser, onLimit]);
      const first = seen.get(same);
      if (first !== undefined)
        context.addIssue({ code: 'custom', path, message: `duplicates limits.${first}; remove one of them` });
      else seen.set(same, index);
    }
  });

/** The options of `budget` before defaults. */
export type BudgetOptions = z.input<typeof budgetOptionsSchema>;
/** A limit with its defaults. */
export type BudgetLimit = z.output<typeof budgetLimitSchema>;
/** A resource that limits count. */
export type Resource = z.output<typeof resourceSchema>;

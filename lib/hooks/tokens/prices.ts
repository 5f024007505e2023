import { z } from 'zod';
import { HooklineError } from '../../errors.ts';
import type { Usage } from '../../events/parts/usage.ts';
import { createGlob } from '../../pipeline/define/matcher.ts';

const price = z.number().nonnegative();

const priceSchema = z.strictObject({
  input: price.describe('Price of a million input tokens.'),
  output: price.describe('Price of a million output tokens.'),
  cachedInput: price.exactOptional().describe('Price of a million cached input tokens (default: input).'),
});

/** The prices of a million tokens of a model. */
export type Price = z.output<typeof priceSchema>;

/** The options of a hook that counts costs. */
export const priceOptions = {
  prices: z
    .record(z.string().min(1), priceSchema)
    .default({})
    .describe('Prices by model name. * and ? are wildcards; the most specific name applies.'),
  currency: z.string().min(1).default('USD').describe('Currency of the prices, for display only.'),
};

/** Finds the price of a model: by its exact name, then by the most specific pattern. A model without a match throws `OPTIONS_INVALID`. */
export function createPrices(hook: string, prices: Readonly<Record<string, Price>>): (model?: string) => Price {
  const letters = (pattern: string) => pattern.replace(/[*?]/g, '').length;
  const closestFirst = Object.entries(prices)
    .map(([pattern, price]) => ({ pattern, price, matches: createGlob(pattern) }))
    .sort((a, b) => letters(b.pattern) - letters(a.pattern) || a.pattern.length - b.pattern.length);
  return (model) => {
    const found = closestFirst.find(({ pattern, matches }) =>
      model === undefined ? pattern === '*' : matches(model),
    )?.price;
    if (found) return found;
    const which = model === undefined ? 'a model without a name' : `the model "${model}"`;
    const name = JSON.stringify(model ?? '*');
    throw new HooklineError(
      'OPTIONS_INVALID',
      `The hook "${hook}" has no price for ${which}, so it cannot compute the cost. Add it to prices: { ${name}: { input: .., output: .. } }, or use '*' for all other models.`,
    );
  };
}

/** Money is kept in whole billionths, because sums of fractions would drift. */
export const BILLIONTHS = 1e9;

/** Returns the cost of a usage in billionths of the currency. Cached tokens are part of the input. */
export function costOf({ inputTokens, outputTokens, cachedInputTokens = 0 }: Usage, price: Price): number {
  const cached = Math.min(cachedInputTokens, inputTokens);
  const { input, output, cachedInput = input } = price;
  return Math.round(((inputTokens - cached) * input + cached * cachedInput + outputTokens * output) * 1e3);
}

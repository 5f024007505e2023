import type { Usage } from '../../../events/parts/usage.ts';
import { BILLIONTHS, costOf, createPrices, type Price } from '../../../hooks/tokens/prices.ts';
import type { Sums } from './sub-run.ts';

/** Prices of models, as the options of the hook `budget` contain them. */
export interface PriceTable {
  /** Prices of a million tokens by model name. `*` and `?` are wildcards. `*` also matches requests that name no model. */
  readonly prices: Readonly<Record<string, Price>>;
  /** Default: USD. */
  readonly currency?: string;
}

/** Adds the cost of a usage to a cost. Undefined if a price is unknown. `before` is the sum of all earlier requests. */
export type AddCost = (before: Sums, usage: Usage | undefined, model: string | undefined) => Sums['cost'];

/** Computes costs by a price table. Without one, all costs are unknown. */
export function addCostBy(table: PriceTable | undefined): AddCost {
  if (!table) return () => undefined;
  const { prices, currency = 'USD' } = table;
  const priceOf = createPrices('budget', prices);
  return ({ usage: before, cost }, usage, model) => {
    // Earlier requests without a known price make the sum unknown.
    if (before && !cost) return undefined;
    if (!usage) return cost;
    const billionths = Math.round((cost?.amount ?? 0) * BILLIONTHS);
    try {
      return { amount: (billionths + costOf(usage, priceOf(model))) / BILLIONTHS, currency };
    } catch {
      return undefined;
    }
  };
}

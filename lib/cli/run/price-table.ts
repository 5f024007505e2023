import type { CompiledConfig } from '../../config/index.ts';
import type { PriceTable } from '../../server/index.ts';

/** Returns the prices in the options of the hook `budget`; undefined if no hook has prices. */
export function priceTable({ hooks }: CompiledConfig): PriceTable | undefined {
  for (const { kind, entry } of hooks) {
    const { prices, currency } = (entry.options ?? {}) as Partial<PriceTable>;
    if (kind.name !== 'budget' || entry.enabled === false || !prices || Object.keys(prices).length === 0) continue;
    return { prices, ...(currency !== undefined && { currency }) };
  }
  return undefined;
}

import type { JsonObject } from '../../events/values/json-value.ts';
import { BILLIONTHS } from '../tokens/prices.ts';
import type { BudgetLimit } from './budget-options.ts';
import type { Spending } from './ledger.ts';

const NAMES = {
  tokens: 'tokens',
  inputTokens: 'input tokens',
  outputTokens: 'output tokens',
  steps: 'steps',
  calls: 'tool calls',
} as const;

/** The spending of a limit: a sentence for people and models, and data for programs. */
export interface SpendingReport {
  readonly message: string;
  readonly data: JsonObject;
}

/** Describes the spending of a limit and its estimated part. */
export function describeSpending({ limit, after }: Spending, estimated: number, currency: string): SpendingReport {
  const { of: what, per, max } = limit;
  const unit = what === 'cost' ? BILLIONTHS : 1;
  const spent = after / unit;
  const marked = estimated > 0 ? ` (${figure(limit, estimated / unit, currency)} of that estimated)` : '';
  return {
    message: `${figure(limit, spent, currency)} of the budget of ${figure(limit, max, currency)} per ${per} are spent${marked}.`,
    data: { of: what, per, max, spent, ...(estimated > 0 && { estimated: estimated / unit }) },
  };
}

function figure({ of: what }: BudgetLimit, amount: number, currency: string): string {
  if (what === 'cost') return `${Number(amount.toPrecision(6))} ${currency}`;
  if (what === 'ms') return `${Number((amount / 1_000).toFixed(1))} s`;
  return `${amount.toLocaleString('en-US')} ${NAMES[what]}`;
}

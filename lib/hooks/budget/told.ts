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

/** How far a limit is spent: a sentence for people and models, and the same for programs. */
export interface Told {
  readonly message: string;
  readonly data: JsonObject;
}

/** Words how far a limit is spent, and how much of that was estimated. */
export function told({ limit, after }: Spending, estimated: number, currency: string): Told {
  const { of: what, per, max } = limit;
  const unit = what === 'cost' ? BILLIONTHS : 1;
  const spent = after / unit;
  const marked = estimated > 0 ? ` (${figure(limit, estimated / unit, currency)} of that estimated)` : '';
  return {
    message: `Of the budget of ${figure(limit, max, currency)} per ${per}, ${figure(limit, spent, currency)} are spent${marked}.`,
    data: { of: what, per, max, spent, ...(estimated > 0 && { estimated: estimated / unit }) },
  };
}

function figure({ of: what }: BudgetLimit, amount: number, currency: string): string {
  if (what === 'cost') return `${Number(amount.toPrecision(6))} ${currency}`;
  if (what === 'ms') return `${Number((amount / 1_000).toFixed(1))} s`;
  return `${amount.toLocaleString('en-US')} ${NAMES[what]}`;
}

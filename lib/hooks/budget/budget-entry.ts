import { defineCatalogueEntry } from '../catalogue.ts';
import { requirePart } from '../hook-host.ts';
import { withoutUserNotices } from '../without-user.ts';
import { budget } from './budget.ts';
import { type BudgetLimit, budgetOptionsSchema } from './budget-options.ts';

const mildness = { abort: 0, finish: 1, warn: 2 } as const;

/** @internal The catalogue entry of `budget`. Other prices, and a removed, higher or milder limit, weaken it. */
export const budgetEntry = defineCatalogueEntry({
  name: 'budget',
  description: 'Limits the tokens, cost, model requests, tool calls and time of runs.',
  events: ['preCall', 'preReasoning', 'postReasoning', 'preActing', 'postActing', 'postCall'],
  optionsSchema: budgetOptionsSchema,
  example: {
    limits: [
      { of: 'tokens', per: 'run', max: 200_000, warnAt: 0.8 },
      { of: 'calls', max: 40 },
    ],
  },
  weakens: (before, after) =>
    JSON.stringify({ ...before, limits: [] }) !== JSON.stringify({ ...after, limits: [] }) ||
    before.limits.some((limit) => !after.limits.some((now) => holds(limit, now))),
  notices: ({ limits, prices }) => [
    ...(Object.keys(prices).length > 0 && !limits.some(({ of }) => of === 'cost')
      ? [{ path: ['prices'], message: 'have no effect without a limit of cost' }]
      : []),
    ...withoutUserNotices(limits),
  ],
  create: (options, host) =>
    budget(options, { store: requirePart(host, 'store', 'budget'), countTokens: host.countTokens }),
});

/** Returns whether one limit stops everything that another one stops. */
function holds(limit: BudgetLimit, now: BudgetLimit): boolean {
  const same = now.of === limit.of && now.per === limit.per && now.windowMs === limit.windowMs;
  // A counter that sessions share is spent no later than one per session.
  const reaches = now.withoutUser === 'shared' || limit.withoutUser !== 'shared';
  return same && reaches && now.max <= limit.max && mildness[now.onLimit] <= mildness[limit.onLimit];
}

import { defineCatalogueEntry } from '../catalogue.ts';
import { requirePart } from '../hook-host.ts';
import { withoutUserNotices } from '../without-user.ts';
import { budget } from './budget.ts';
import { type BudgetLimit, budgetOptionsSchema } from './budget-options.ts';

const mildness = { abort: 0, finish: 1, warn: 2 } as const;

/** The catalogue entry of `budget`. Other prices, and a limit that is gone, higher or milder, weaken it. */
export const budgetEntry = defineCatalogueEntry({
  name: 'budget',
  description: 'Bounds the tokens, money, steps, calls and time that runs spend.',
  events: ['preCall', 'preReasoning', 'postReasoning', 'preActing', 'postActing', 'postCall'],
  approves: true,
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
      ? [{ path: ['prices'], message: 'have no effect: no limit is of cost' }]
      : []),
    ...withoutUserNotices(limits),
  ],
  create: (options, host) =>
    budget(options, { store: requirePart(host, 'store', 'budget'), countTokens: host.countTokens }),
});

/** Whether all that one limit stops another one stops too. */
function holds(limit: BudgetLimit, now: BudgetLimit): boolean {
  const same = now.of === limit.of && now.per === limit.per && now.windowMs === limit.windowMs;
  // A count that sessions share is spent no later than one of a session.
  const reaches = now.withoutUser === 'shared' || limit.withoutUser !== 'shared';
  return same && reaches && now.max <= limit.max && mildness[now.onLimit] <= mildness[limit.onLimit];
}

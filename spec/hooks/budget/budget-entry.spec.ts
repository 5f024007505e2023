import { expect } from 'chai';
import { budgetEntry } from '../../../lib/hooks/budget/budget-entry.ts';
import { type BudgetOptions, budgetOptionsSchema } from '../../../lib/hooks/budget/budget-options.ts';

const prices = { '*': { input: 1, output: 1 } };
const read = (options: BudgetOptions) => budgetOptionsSchema.parse(options);

describe('budgetEntry', () => {
  it('rates only a higher limit, another price or a missing limit as weaker', () => {
    const before = read({ limits: [{ of: 'cost', max: 5 }], prices });
    const weakens = (options: BudgetOptions) => budgetEntry.weakens?.(before, read(options));
    expect(weakens({ limits: [{ of: 'cost', max: 5 }], prices })).to.equal(false);
    expect(
      weakens({
        limits: [
          { of: 'cost', max: 4 },
          { of: 'steps', max: 9 },
        ],
        prices,
      }),
    ).to.equal(false);
    expect(weakens({ limits: [{ of: 'cost', max: 6 }], prices })).to.equal(true);
    expect(weakens({ limits: [{ of: 'cost', max: 5, onLimit: 'warn' }], prices })).to.equal(true);
    expect(weakens({ limits: [{ of: 'steps', max: 5 }], prices })).to.equal(true);
    expect(weakens({ limits: [{ of: 'cost', max: 5 }], prices: { '*': { input: 0, output: 1 } } })).to.equal(true);
  });

  it('compares with an equal limit at any position', () => {
    const before = read({
      limits: [
        { of: 'steps', max: 5 },
        { of: 'calls', per: 'user', max: 5, windowMs: 9 },
      ],
    });
    const weakens = (limits: BudgetOptions['limits']) => budgetEntry.weakens?.(before, read({ limits }));
    const steps = { of: 'steps', max: 4, onLimit: 'abort' } as const;
    expect(weakens([{ of: 'calls', per: 'user', max: 5, windowMs: 9 }, steps])).to.equal(false);
    expect(weakens([{ of: 'calls', per: 'user', max: 5, windowMs: 8 }, steps])).to.equal(true);
    expect(weakens([{ of: 'calls', per: 'session', max: 5, windowMs: 9 }, steps])).to.equal(true);
  });

  it('reports prices that no limit needs', () => {
    const notices = (options: BudgetOptions) => budgetEntry.notices?.(read(options));
    expect(notices({ limits: [{ of: 'steps', max: 5 }], prices })).to.deep.equal([
      { path: ['prices'], message: 'have no effect without a limit of cost' },
    ]);
    expect(notices({ limits: [{ of: 'cost', max: 5 }], prices })).to.deep.equal([]);
  });

  it('requires a store of the host', () =>
    expect(() => budgetEntry.create(read({ limits: [{ of: 'steps', max: 5 }] }), {}))
      .to.throw('needs a store')
      .with.property('code', 'OPTIONS_INVALID'));
});

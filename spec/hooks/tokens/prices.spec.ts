import { expect } from 'chai';
import { costOf, createPrices } from '../../../lib/hooks/tokens/prices.ts';

const priced = (input: number) => ({ input, output: 0 });

describe('createPrices', () => {
  const prices = createPrices('budget', {
    '*': priced(1),
    'big-*': priced(2),
    'big-2*': priced(3),
    'big-2': priced(4),
  });

  it('selects the exact model name first, then the most specific pattern', () => {
    expect(['big-2', 'big-22', 'big-10', 'small', undefined].map((model) => prices(model).input)).to.deep.equal([
      4, 3, 2, 1, 1,
    ]);
  });

  it('has no price for an unmatched model and shows what to configure', () => {
    const few = createPrices('budget', { 'big-*': priced(2), constructor: priced(3) });
    expect(() => few('small'))
      .to.throw(`no price for the model "small"`)
      .with.property('code', 'OPTIONS_INVALID');
    expect(() => few('toString')).to.throw('no price');
    expect(() => few(undefined))
      .to.throw(`no price for a model without a name`)
      .with.property('code', 'OPTIONS_INVALID');
    expect(() => few(undefined)).to.throw(`{ "*": { input: .., output: .. } }`);
  });
});

describe('costOf', () => {
  it('sums without drift, with a separate price for cached input', () => {
    const price = { input: 0.1, output: 0.2, cachedInput: 0.01 };
    const one = costOf({ inputTokens: 3, outputTokens: 1, cachedInputTokens: 2 }, price);
    expect(one).to.equal(320);
    expect(costOf({ inputTokens: 3, outputTokens: 1 }, price)).to.equal(500);
    expect(costOf({ inputTokens: 1, outputTokens: 0, cachedInputTokens: 5 }, price)).to.equal(10);
  });
});

import { expect } from 'chai';
import { applyEntry } from '../../../lib/config/kinds/apply-entry.ts';
import { defineHook } from '../../../lib/index.ts';

describe('applyEntry', () => {
  it('keeps every part of a hook', () => {
    const whole = defineHook({
      name: 'whole',
      description: 'Has all parts.',
      match: { tools: ['*'] },
      on: { preCall() {} },
      through: { reasoningChunk: (chunks$) => chunks$ },
      around: { reasoning: (_, next) => next() },
      approve: () => ({ verdict: 'approved' }),
      observe() {},
      redact: (text) => text,
      tools: [],
      aroundPriority: 1,
      timeoutMs: 1,
      idempotent: true,
    });
    expect(applyEntry(whole, 'whole', {})).to.deep.equal(whole);
  });
});

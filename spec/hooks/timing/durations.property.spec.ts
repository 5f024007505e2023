import { expect } from 'chai';
import fc from 'fast-check';
import { createDurations } from '../../../lib/hooks/timing/durations.ts';

describe('createDurations', () => {
  it('returns percentiles that bound the given share of the last durations, and sums of all', () =>
    fc.assert(
      fc.property(
        fc.array(fc.nat(1_000), { minLength: 1, maxLength: 50 }),
        fc.integer({ min: 1, max: 60 }),
        (all, most) => {
          const durations = createDurations(most);
          for (const ms of all) durations.add(ms);
          const { count, totalMs, maxMs, ...percentiles } = durations.summary();
          expect({ count, totalMs, maxMs }).to.deep.equal({
            count: all.length,
            totalMs: all.reduce((sum, ms) => sum + ms, 0),
            maxMs: Math.max(...all),
          });
          const last = all.slice(-most);
          for (const [name, value] of Object.entries(percentiles)) {
            const part = Number(name.slice(1)) / 100;
            expect(last, name).to.include(value);
            expect(last.filter((ms) => ms <= value).length, name).to.be.at.least(part * last.length);
            expect(last.filter((ms) => ms < value).length, name).to.be.below(part * last.length);
          }
        },
      ),
    ));
});

import { expect } from 'chai';
import fc from 'fast-check';
import { type Allowance, returned, take, type Used } from '../../../lib/hooks/rate-limit/meter.ts';

const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 1, max: 3 })), { maxLength: 80 });

/** Takes at each step and returns the time of each grant. */
function play(allowance: Allowance, asked: readonly (readonly [after: number, amount: number])[]) {
  const taken: { at: number; amount: number }[] = [];
  let used: Used | undefined;
  let now = 1_000_000;
  for (const [after, amount] of asked) {
    now += after;
    const result = take(allowance, used, amount, now);
    if ('used' in result) {
      used = result.used;
      taken.push({ at: now, amount });
    } else if (Number.isFinite(result.waitMs)) {
      expect(result.waitMs).to.be.greaterThan(0);
      expect('used' in take(allowance, used, amount, now + result.waitMs), 'after the wait').to.equal(true);
    }
  }
  return taken;
}

const sum = (list: readonly { amount: number }[]) => list.reduce((total, { amount }) => total + amount, 0);

describe('take', () => {
  it('grants at most max per sliding window, and a denied amount after its wait', () =>
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 8 }), (asked, max) => {
        const taken = play({ max, windowMs: 1_000, algorithm: 'sliding' }, asked);
        for (const { at } of taken)
          expect(sum(taken.filter((one) => one.at >= at && one.at < at + 1_000))).to.be.at.most(max);
      }),
    ));

  it('grants at most burst plus the refill with a bucket', () =>
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 12 }), (asked, max, burst) => {
        const taken = play({ max, windowMs: 1_000, algorithm: 'bucket', burst }, asked);
        for (const { at: begin } of taken)
          for (const { at: end } of taken.filter(({ at }) => at >= begin)) {
            const within = sum(taken.filter(({ at }) => at >= begin && at <= end));
            expect(within).to.be.at.most(burst + ((end - begin) * max) / 1_000 + 1e-6);
          }
      }),
    ));

  it('never exceeds max after a refund at any time', () => {
    const asked = fc.array(
      fc.tuple(fc.integer({ min: 0, max: 400 }), fc.option(fc.integer({ min: 1, max: 900 }), { nil: undefined })),
      { maxLength: 60 },
    );
    let given = 0;
    fc.assert(
      fc.property(
        asked,
        fc.integer({ min: 1, max: 4 }),
        fc.constantFrom('sliding', 'bucket'),
        (steps, max, algorithm) => {
          const allowance: Allowance = { max, windowMs: 1_000, algorithm };
          const taken: number[] = [];
          let back: { at: number; when: number }[] = [];
          let used: Used | undefined;
          let now = 1_000_000;
          const giveBack = (until: number) => {
            for (const { at } of back.filter(({ when }) => when <= until)) {
              used = returned(allowance, used, 1, at);
              given += 1;
            }
            back = back.filter(({ when }) => when > until);
          };
          for (const [after, backAfter] of steps) {
            now += after;
            giveBack(now);
            const result = take(allowance, used, 1, now);
            if (!('used' in result)) continue;
            used = result.used;
            if (backAfter === undefined) taken.push(now);
            else back.push({ at: now, when: now + backAfter });
          }
          for (const begin of taken) {
            const within = taken.filter((at) => at >= begin && at < begin + 1_000).length;
            expect(within).to.be.at.most(algorithm === 'sliding' ? max : 2 * max);
          }
        },
      ),
    );
    expect(given).to.be.greaterThan(0);
  });

  it('refunds the full amount', () => {
    for (const algorithm of ['sliding', 'bucket'] as const) {
      const allowance: Allowance = { max: 1, windowMs: 1_000, algorithm };
      const first = take(allowance, undefined, 1, 0) as { used: Used };
      expect('used' in take(allowance, returned(allowance, first.used, 1, 0), 1, 900)).to.equal(true);
    }
  });

  it('grants the full amount at once and returns the wait for the next', () => {
    const allowance: Allowance = { max: 2, windowMs: 1_000, algorithm: 'sliding' };
    expect(
      play(allowance, [
        [0, 1],
        [0, 1],
        [0, 1],
        [1_050, 1],
        [0, 1],
        [0, 1],
      ]).map(({ at }) => at - 1_000_000),
    ).to.deep.equal([0, 0, 1_050, 1_050]);
    expect(take(allowance, undefined, 3, 0)).to.deep.equal({ waitMs: Number.POSITIVE_INFINITY });
    expect(take({ ...allowance, algorithm: 'bucket' }, { left: 0, at: 0 }, 1, 0)).to.deep.equal({ waitMs: 500 });
  });
});

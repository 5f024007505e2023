import { expect } from 'chai';
import { TABLE_HEAD, toRow } from '../result.ts';
import { allocationsOf } from './allocations.ts';

const STEPS = 200;
const BYTES = 10_000;

/** Four promises, with those of the await of its caller. */
async function step(): Promise<void> {
  await undefined;
}

describe('allocations of a bench', () => {
  it('are the promises of a step, and its bytes with those of garbage', async () => {
    const kept: unknown[] = [];
    const { promises, kilobytes } = await allocationsOf(async () => {
      for (let nth = 0; nth < STEPS; nth++) {
        await step();
        kept[0] = new Array(BYTES / 8).fill(nth);
        if (nth % 50 === 0) global.gc?.();
      }
    }, STEPS);
    expect(promises).to.be.within(4, 4.2);
    expect(kilobytes).to.be.within(8, 14);
  });

  it('are in the row of a result that has them', () => {
    const result = { name: 'step', unit: 'x', value: 2, most: 1 };
    const allocations = {
      measured: { promises: 20, kilobytes: 3.14 },
      against: { promises: 4.25, kilobytes: 1 },
    };
    expect(toRow({ ...result, allocations })).to.equal(
      '| step | 2.00 x | at most 1 | **missed** | 20.0, without 4.3 | 3.1, without 1.0 |',
    );
    expect(toRow(result)).to.equal('| step | 2.00 x | at most 1 | **missed** |  |  |');
    for (const line of TABLE_HEAD) expect(line.split('|').length).to.equal(toRow(result).split('|').length);
  });
});

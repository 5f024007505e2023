import { expect } from 'chai';
import { relay } from '../../lib/loops/relay.ts';

async function all<T, R>(work: (report: (value: T) => void) => Promise<R>): Promise<unknown[]> {
  const told: unknown[] = [];
  const relayed = relay(work);
  try {
    for (;;) {
      const { done, value } = await relayed.next();
      told.push(value);
      if (done) return told;
    }
  } catch (thrown) {
    return [...told, String(thrown)];
  }
}

describe('relay', () => {
  it('tells what is reported, in order, and last what the work comes to', async () => {
    const told = await all<number, string>(async (report) => {
      report(1);
      report(2);
      await Promise.resolve();
      report(3);
      return 'done';
    });
    expect(told).to.deep.equal([1, 2, 3, 'done']);
  });

  it('tells what was reported before the work fails', async () => {
    const told = await all<number, never>(async (report) => {
      report(1);
      throw new Error('cut');
    });
    expect(told).to.deep.equal([1, 'Error: cut']);
  });
});

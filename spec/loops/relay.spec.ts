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
  it('emits reports in order, and the result last', async () => {
    const told = await all<number, string>(async (report) => {
      report(1);
      report(2);
      await Promise.resolve();
      report(3);
      return 'done';
    });
    expect(told).to.deep.equal([1, 2, 3, 'done']);
  });

  it('emits the reports before an error', async () => {
    const told = await all<number, never>(async (report) => {
      report(1);
      throw new Error('cut');
    });
    expect(told).to.deep.equal([1, 'Error: cut']);
  });
});

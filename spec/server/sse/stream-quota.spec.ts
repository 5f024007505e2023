import { expect } from 'chai';
import { streamQuota } from '../../../lib/server/sse/stream-quota.ts';

const status = (take: () => unknown): unknown => {
  try {
    take();
    return 200;
  } catch (thrown) {
    return (thrown as { status: number }).status;
  }
};

describe('createStreamQuota', () => {
  it('limits streams per user and in total', () => {
    const quota = streamQuota(3, 2);
    const release = quota.take('alice');
    quota.take('alice');
    expect(
      status(() => quota.take('alice')),
      'a third one',
    ).to.equal(429);
    expect(status(() => quota.take('bob'))).to.equal(200);
    expect(
      status(() => quota.take('carol')),
      'a fourth of all',
    ).to.equal(503);
    release();
    release();
    expect(
      status(() => quota.take('alice')),
      'in the place of one that has ended',
    ).to.equal(200);
    expect(status(() => quota.take('alice'))).to.equal(503);
  });
});

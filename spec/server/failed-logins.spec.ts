import { expect } from 'chai';
import { createFailedLogins } from '../../lib/server/security/failed-logins.ts';

describe('createFailedLogins', () => {
  it('counts failures for each address and in total', () => {
    const failed = createFailedLogins({ perAddress: 2, inAll: 5, now: () => 0 });
    for (const address of ['a', 'a', 'b']) failed.add(address);
    expect([failed.waitFor('a'), failed.waitFor('b'), failed.waitFor('c')]).to.deep.equal([60, 0, 0]);
    for (const address of ['c', 'd']) failed.add(address);
    expect(failed.waitFor('never seen')).to.equal(60);
  });

  it('uses a monotonic clock', () => {
    const failed = createFailedLogins({ perAddress: 1 });
    failed.add('a');
    const { now } = Date;
    try {
      Date.now = () => now() + 3_600_000;
      expect(failed.waitFor('a')).to.be.within(1, 60);
      Date.now = () => now() - 3_600_000;
      expect(failed.waitFor('a')).to.be.within(1, 60);
    } finally {
      Date.now = now;
    }
  });

  it('forgets failures after the window that the first one opened', () => {
    let now = 0;
    const failed = createFailedLogins({ perAddress: 2, windowMs: 10_000, now: () => now });
    failed.add('a');
    now = 9_500;
    failed.add('a');
    expect(failed.waitFor('a')).to.equal(1);
    now = 10_000;
    expect(failed.waitFor('a')).to.equal(0);
    failed.add('a');
    expect(failed.waitFor('a')).to.equal(0);
  });

  it('counts forms of one IPv4 address, and addresses of one IPv6 network, together', () => {
    const failed = createFailedLogins({ perAddress: 2, now: () => 0 });
    for (const address of ['::ffff:10.0.0.1', '10.0.0.1', '2001:db8:0:1:a::1', '2001:db8:0:1:b::2'])
      failed.add(address);
    expect(failed.waitFor('10.0.0.1')).to.equal(60);
    expect(failed.waitFor('2001:db8:0:1:c::3')).to.equal(60);
    expect(failed.waitFor('2001:db8:0:2::1')).to.equal(0);
  });

  it('drops only the oldest address beyond the limit', () => {
    const failed = createFailedLogins({ perAddress: 1, inAll: 1e9, addresses: 3, now: () => 0 });
    for (const address of ['a', 'b', 'c', 'd']) failed.add(address);
    const waits = ['a', 'b', 'c', 'd'].map((address) => failed.waitFor(address) > 0);
    expect(waits).to.deep.equal([false, true, true, true]);
  });
});

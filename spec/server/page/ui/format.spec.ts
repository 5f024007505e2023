import { expect } from 'chai';
import { showClock, showCount, showMs, showNumber, showTime } from '../../../../lib/server/page/ui/format.ts';

describe('format of numbers and times', () => {
  it('is as short as readable', () => {
    expect([0, 0.04, 0.5, Math.PI, 9.99, 320.4, 1_000, 1_240, 61_000].map(showMs)).to.deep.equal([
      '0 ms',
      '0.04 ms',
      '0.5 ms',
      '3.1 ms',
      '10 ms',
      '320 ms',
      '1 s',
      '1.24 s',
      '1:01',
    ]);
    expect([0, 23_000, 245_000, 3_723_000, 273_600_000, -5].map(showClock)).to.deep.equal([
      '0:00',
      '0:23',
      '4:05',
      '1:02:03',
      '3 d 4 h',
      '0:00',
    ]);
    expect([0, 999, 1_000, 50_000, 1_234_567].map(showNumber)).to.deep.equal([
      '0',
      '999',
      '1,000',
      '50,000',
      '1,234,567',
    ]);
    expect([7, 9_999, 12_345, 4_500_000].map(showCount)).to.deep.equal(['7', '9,999', '12.3k', '4.5M']);
  });

  it('includes the date of another day', () => {
    const now = new Date(2026, 10, 22, 18, 0, 0).getTime();
    expect(showTime(new Date(2026, 10, 22, 9, 5, 7).getTime(), now)).to.equal('09:05:07');
    expect(showTime(new Date(2026, 0, 3, 9, 5, 7).getTime(), now)).to.equal('3 Jan, 09:05:07');
    expect(showTime('nonsense', now)).to.equal('');
  });
});

import { expect } from 'chai';
import { scanRedactor } from '../../../lib/hooks/security-scan/scan-redactor.ts';

describe('the redactor of a scan', () => {
  const none = { without: [], extraRules: [], known: [], environment: [], mode: 'marker' } as const;

  it('is shared by all hooks with the same options, because its tables take megabytes', () => {
    expect(scanRedactor({ ...none })).to.equal(scanRedactor({ ...none, without: [] }));
    expect(scanRedactor({ ...none, mode: 'hash', key: 'k' })).to.equal(
      scanRedactor({ ...none, mode: 'hash', key: 'k' }),
    );
  });

  it('is a separate one if any output would differ', () => {
    const others = [
      none,
      { ...none, mode: 'mask' as const },
      { ...none, mode: 'hash' as const, key: 'a' },
      { ...none, mode: 'hash' as const, key: 'b' },
      { ...none, rules: ['personal'] },
      { ...none, without: ['personal'] },
      { ...none, known: [{ label: 'mine', value: 'correct-horse' }] },
      { ...none, known: [{ label: 'mine', value: 'battery-staple' }] },
    ];
    expect(new Set(others.map(scanRedactor)).size).to.equal(others.length);
  });

  it('is rebuilt after many others were requested', () => {
    const first = scanRedactor({ ...none, mode: 'hash', key: 'first' });
    for (let nth = 0; nth < 16; nth++) scanRedactor({ ...none, rules: ['personal'], mode: 'hash', key: `k${nth}` });
    expect(scanRedactor({ ...none, mode: 'hash', key: 'first' })).not.to.equal(first);
  });
});

import { expect } from 'chai';
import fc from 'fast-check';
import { finder } from '../../../lib/redaction/pattern/finder.ts';

const patterns = [/a+b/, /^ab/, /b$/, /^(?:a|ab)*c$/, /\ba/, /^a|b$/, /(?:a|b)+?c/, /[^ab]/, /A/i];
const texts = fc.array(fc.constantFrom('a', 'b', 'c', ' ', 'A'), { maxLength: 12 }).map((parts) => parts.join(''));

describe('a finder', () => {
  for (const pattern of patterns) {
    it(`matches like the native engine: ${pattern}`, () => {
      const finds = finder(pattern);
      fc.assert(
        fc.property(texts, (text) => finds(text) === pattern.test(text)),
        { numRuns: 2_000 },
      );
    });
  }

  it('finds one of many patterns', () => {
    const finds = finder(/^a/, /b$/, /cc/);
    expect(['ax', 'xb', 'xccx'].every(finds)).to.equal(true);
    expect(['xa', 'bx', 'xcx', ''].some(finds)).to.equal(false);
  });

  it('does not backtrack', () => {
    expect(finder(/^(?:(?:a|aa)+b?)+$/)(`${'a'.repeat(50_000)}!`)).to.equal(false);
  });
});

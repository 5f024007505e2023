import { expect } from 'chai';
import { createRedactor } from '../../../lib/redaction/index.ts';
import { growth, processorTime } from '../../processor-time.ts';

const values = ['no two: '.repeat(11), 'a'.repeat(40), 'x1'.repeat(100), '0123456789abcdef'.repeat(10)];

describe('a known value that repeats itself', () => {
  for (const value of values) {
    const redactor = createRedactor([], { known: [{ label: 'KEY', value }] });
    const name = JSON.stringify(value.slice(0, 16));

    it(`is found plain and encoded: ${name} and so on`, () => {
      const forms = [
        value,
        encodeURIComponent(value),
        Buffer.from(value).toString('base64'),
        Buffer.from(`xy${value}`).toString('base64url'),
      ];
      for (const form of forms) {
        for (const before of ['', value.slice(0, -3), value.slice(2)]) {
          const { text } = redactor.redact(`so ${before}${form} then`);
          expect(text).to.match(/\[REDACTED:KEY\]/);
          expect(text.length).to.be.lessThan(before.length + 60);
        }
      }
    });

    it(`is one secret if continuous: ${name} and so on`, () => {
      expect(redactor.redact(`so ${value.repeat(30)}.`)).to.deep.equal({
        text: 'so [REDACTED:KEY].',
        findings: [{ rule: 'KEY', confidence: 'format', start: 3, end: 3 + 30 * value.length }],
      });
    });

    it(`takes linear time: ${name} and so on`, function () {
      this.timeout(0);
      const cost = (text: string, rounds?: number): number => processorTime(() => redactor.redact(text), rounds);
      // Close to the value, but never the whole value.
      const text = `${value.slice(0, -1)}~`.repeat(Math.ceil(20_000 / value.length));
      cost(text);
      // A quadratic algorithm takes 64 times as long.
      expect(
        growth(
          () => cost(text),
          () => cost(text.repeat(8), 1),
          24,
        ),
      ).to.be.lessThan(24);
    });
  }

  it('is found as a literal of a rule, among patterns with the same beginning', () => {
    const literal = 'ab12'.repeat(20);
    const redactor = createRedactor([
      { id: 'lit', literal },
      { id: 'pattern', pattern: /ab12ab12ab12[a-b]{200}!/ },
    ]);
    expect(redactor.redact(`so ${literal} then`).text).to.equal('so [REDACTED:lit] then');
  });
});

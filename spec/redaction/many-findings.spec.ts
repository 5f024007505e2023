import { expect } from 'chai';
import { createRedactor, ownRules } from '../../lib/redaction/index.ts';
import { growth, processorTime } from '../processor-time.ts';

const redactor = createRedactor(ownRules);
const ways = {
  whole: (text: string) => redactor.redact(text).findings.length,
  'one chunk of a stream': (text: string) => {
    const stream = redactor.stream();
    stream.write(text);
    stream.end();
    return stream.findings.length;
  },
};

describe('a text full of secrets', () => {
  for (const [what, scan] of Object.entries(ways)) {
    it(`takes linear time, as ${what}`, () => {
      const cost = (count: number, rounds?: number): number => {
        const text = 'API_KEY=abcd1234efgh5678\n'.repeat(count);
        return processorTime(() => expect(scan(text)).to.equal(count), rounds);
      };
      cost(1_000);
      // Checking all findings for each one takes 64 times as long.
      expect(
        growth(
          () => cost(2_000),
          () => cost(16_000, 1),
          24,
        ),
      ).to.be.below(24);
    });
  }
});

import { expect } from 'chai';
import { createRedactor, ownRules } from '../../lib/redaction/index.ts';

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

describe('a text that is full of secrets', () => {
  for (const [what, scan] of Object.entries(ways)) {
    it(`takes time that grows as it does, as ${what}`, () => {
      const took = (count: number): number => {
        const text = 'API_KEY=abcd1234efgh5678\n'.repeat(count);
        const times = Array.from({ length: 3 }, () => {
          const began = process.hrtime.bigint();
          expect(scan(text)).to.equal(count);
          return Number(process.hrtime.bigint() - began);
        });
        return Math.min(...times);
      };
      took(1_000);
      expect(took(16_000) / took(4_000)).to.be.below(10);
    }).timeout(60_000);
  }
});

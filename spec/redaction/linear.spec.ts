import { expect } from 'chai';
import { createRedactor } from '../../lib/redaction/index.ts';
import { known, sampleRules } from './sample-rules.ts';

const rules = [
  ...sampleRules,
  { id: 'nested', pattern: /n=(?:[a-z]+-?)+!/ },
  { id: 'gulp', pattern: /gg([a-g]+)/, swallow: true },
  { id: 'twice', pattern: /t=(?:(?:a|a)*b|a*c)/ },
];
const units = [
  'a',
  'a.b.',
  'kk-',
  'password=',
  '-----BEGIN RSA KEY-----',
  'n=aaa-',
  'g',
  't=',
  '1',
  '1 ',
  'a@',
  '[REDACTED:',
  'ghp_',
  'x😀',
  '\ud83d',
];

describe('the time that redaction takes', () => {
  const redactor = createRedactor(rules, { known: [known] });
  const cost = (text: string): number => {
    let best = Infinity;
    for (let round = 0; round < 5; round++) {
      const began = performance.now();
      const stream = redactor.stream();
      for (let at = 0; at < text.length; at += 64) stream.write(text.slice(at, at + 64));
      stream.end();
      best = Math.min(best, performance.now() - began);
    }
    return best;
  };
  for (const unit of units) {
    it(`grows with the text and not faster: ${JSON.stringify(unit)} again and again`, function () {
      this.timeout(0);
      const text = unit.repeat(Math.ceil(60_000 / unit.length));
      cost(text);
      // Twice the text may not take four times as long; a machine that is busy may make it look like three.
      const ratios = [0, 1, 2].map(() => cost(text + text) / cost(text));
      expect(Math.min(...ratios)).to.be.lessThan(3);
    });
  }
});

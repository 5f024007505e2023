import { expect } from 'chai';
import { createRedactor } from '../../lib/redaction/index.ts';
import { growth, processorTime } from '../processor-time.ts';
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

describe('time of redaction', () => {
  const redactor = createRedactor(rules, { known: [known] });
  const cost = (text: string, rounds?: number): number =>
    processorTime(() => {
      const stream = redactor.stream();
      for (let at = 0; at < text.length; at += 64) stream.write(text.slice(at, at + 64));
      stream.end();
    }, rounds);
  for (const unit of units) {
    it(`is linear for repeated ${JSON.stringify(unit)}`, function () {
      this.timeout(0);
      const text = unit.repeat(Math.ceil(20_000 / unit.length));
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
});

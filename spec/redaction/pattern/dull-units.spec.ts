import { expect } from 'chai';
import fc from 'fast-check';
import { compileRules } from '../../../lib/redaction/compile/compile-rules.ts';
import { createEngine } from '../../../lib/redaction/compile/engine.ts';
import { createRedactor, ownRules } from '../../../lib/redaction/index.ts';

const redactor = createRedactor(ownRules);
const secrets = [
  '密码是'.concat('Hq7vT2mZ9。'),
  '电话：010 ',
  '手机13912345678，',
  `password: ${'Hq7vT2'.concat('mZ9')}`,
  '😀',
  '\ud83d',
  'я',
  'П',
  'パ',
];
const pieces = [
  ...secrets,
  '他们两个人',
  ' было поздно ',
  ' كان الوقت ',
  '두 사람이 ',
  '。',
  ' ',
  '\n',
  '[',
  '[REDACTED:',
  '1',
  'a',
  '(',
  '+49 30 901820',
  'me@host.org',
];

describe('dull units', () => {
  it('includes nearly all letters of other scripts, but no ASCII letter or digit', () => {
    const { dull } = createEngine(compileRules(ownRules).compiled);
    const count = (text: string) => Array.from(text).filter((letter) => dull.isDull(letter.charCodeAt(0))).length;
    for (const text of [
      '他们两个人回到家里',
      '二人が家に戻った',
      'когдаонивдвоём',
      'كانالوقتمتأخرا',
      '사람이집에',
      '😀🎉',
    ]) {
      expect(count(text), text).to.be.at.least(text.length / 2 - 1);
    }
    expect(count('abcXYZ0189[')).to.equal(0);
  });

  it('does not change the findings, with any chunks', () => {
    let found = 0;
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...pieces), { maxLength: 16 }),
        fc.integer({ min: 1, max: 7 }),
        (parts, size) => {
          const text = parts.join('');
          const whole = redactor.redact(text);
          const stream = redactor.stream();
          let shown = '';
          for (let at = 0; at < text.length; at += size) shown += stream.write(text.slice(at, at + size));
          expect(shown + stream.end()).to.equal(whole.text);
          expect(stream.findings).to.deep.equal(whole.findings);
          found += whole.findings.length;
        },
      ),
      { numRuns: process.env['HOOKLINE_SOAK'] ? 200_000 : 2_000 },
    );
    expect(found).to.be.greaterThan(1_000);
  });
});

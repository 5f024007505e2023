import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { createRedactor, ownRules } from '../../../lib/redaction/index.ts';

const token = `ghp_${randomBytes(18).toString('hex')}`;
const value = `${randomBytes(8).toString('hex')}xQ`;
const redactor = createRedactor(ownRules);
const known = createRedactor([], { known: [{ label: 'known', value }] });
/** Every character that a screen does not show: of no width, of a direction, or a variant of the character before. */
const UNSEEN = '\u00ad\u034f\u061c\u180b\u180e\u200b\u200f\u202a\u202e\u2060\u2064\u2066\u2069\u206f\ufe00\ufe0f\ufeff';
const BLANKS = '\u00a0\u1680\u2000\u2007\u2009\u200a\u202f\u205f\u3000\ufeff';
const name = (sign: string) => `U+${(sign.codePointAt(0) as number).toString(16).padStart(4, '0')}`;

describe('unseen characters', () => {
  for (const sign of UNSEEN) {
    const within = (text: string) => text.replace(/.{4}(?=.)/g, `$&${sign}`);

    it(`do not hide a token, a keyword or a known value: ${name(sign)}`, () => {
      const read = (text: string) => text.replaceAll(sign, '');
      expect(read(redactor.redact(`log ${within(token)} end`).text)).to.not.include(token.slice(8, 20));
      expect(read(redactor.redact(`${within('password')} = ${value}`).text)).to.not.include(value);
      expect(read(known.redact(`log ${within(value)} end`).text)).to.not.include(value);
    });
  }

  for (const sign of BLANKS)
    it(`do not hide a value as a blank before it: ${name(sign)}`, () => {
      for (const text of [`password:${sign}${value}`, `password = ${sign}${value}`, `password${sign}= ${value}`])
        expect(redactor.redact(text).text, JSON.stringify(text)).to.not.include(value);
    });

  it('stay where they hide nothing', () => {
    const text = 'Yes \u2764\ufe0f, 1\ufe0f\u20e3 of \u2066two\u2069, \u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645';
    expect(redactor.redact(text).text).to.equal(text);
  });
});

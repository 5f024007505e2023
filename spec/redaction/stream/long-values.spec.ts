import { expect } from 'chai';
import { HooklineError } from '../../../lib/errors.ts';
import { createRedactor, type KnownValue } from '../../../lib/redaction/index.ts';

/** The longest value takes seconds to compile. */
const SOAK = process.env['HOOKLINE_SOAK'] !== undefined;
const MOST = 16_384;

describe('a long known value', () => {
  const mixed = Array.from({ length: SOAK ? MOST : MOST / 2 }, (_, at) => '/!:?#a'[(at * at + (at >> 3)) % 6]).join('');
  const values = ['!?#*&@;:\\"'.repeat(280), 'a'.repeat(SOAK ? 13_000 : 4_000), mixed];
  for (const value of values) {
    it(`is found: ${value.length} characters of ${value.slice(0, 10)}`, function () {
      this.timeout(0);
      const redactor = createRedactor([], { known: [{ label: 'KEY', value }] });
      const encoded = [encodeURIComponent(value), Buffer.from(value).toString('base64')];
      for (const form of /^a+$/.test(value) ? [value] : [value, ...encoded]) {
        expect(redactor.redact(`so ${form} then`).text).to.match(/^so .{0,2}\[REDACTED:KEY\].{0,4} then$/);
      }
    });
  }

  it('is found as a literal of a rule', () => {
    const literal = 'abcdefgh'.repeat(2000);
    const redactor = createRedactor([{ id: 'lit', literal, maxLength: 65_536 }]);
    expect(redactor.redact(`so ${literal} then`).text).to.equal('so [REDACTED:lit] then');
  });

  it('is rejected if too long or not a string, with label and place but no value', () => {
    const refused = (value: unknown): HooklineError => {
      try {
        createRedactor([], {
          known: [{ label: 'OK', value: 'f'.repeat(MOST) }, { label: 'KEY', value } as KnownValue],
        });
      } catch (issue) {
        return issue as HooklineError;
      }
      throw new Error('it was taken');
    };
    for (const value of ['q'.repeat(MOST + 1), undefined, 123_456_789, null]) {
      const issue = refused(value);
      expect(issue).to.be.instanceOf(HooklineError);
      expect(issue.code).to.equal('OPTIONS_INVALID');
      expect(issue.message).to.include('known[1] (KEY)');
      expect(issue.message).not.to.match(/qqq|123456/);
    }
  });
});

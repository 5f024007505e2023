import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { createRedactor, ownRules } from '../../../lib/redaction/index.ts';

const redactor = createRedactor(ownRules);
const isLeft = (text: string) => redactor.redact(text).text === text;
const digits = (count: number) => Array.from(randomBytes(count), (byte) => byte % 10).join('');
const hex = (bytes: number) => randomBytes(bytes).toString('hex');
const RUNS = 200;

describe('an unquoted secret that begins like a sum', () => {
  it('is redacted: base64 with a plus sign, or with a number and a sign, at its beginning', () => {
    for (let run = 0; run < RUNS; run++) {
      const [one, two] = [randomBytes(18), randomBytes(18)].map((bytes) => bytes.toString('base64'));
      for (const value of [`+aB7${one}x`, `${run % 90}+k3Q${two}x`, `${run % 90}/k3Q${one}x`])
        for (const text of [`password: ${value}`, `api_key=${value}`, `DB_PASSWORD=${value}`])
          expect(isLeft(text), text).to.equal(false);
    }
  });

  it('is redacted: a UUID with digits only before its first dash', () => {
    for (let run = 0; run < RUNS; run++) {
      const uuid = [digits(8), `a${hex(2).slice(1)}`, hex(2), hex(2), hex(6)].join('-');
      for (const text of [`API_TOKEN=${uuid}`, `token: ${uuid}`, `x-auth-token: ${uuid}`])
        expect(isLeft(text), text).to.equal(false);
    }
  });

  it('stays if it is a sum', () => {
    for (const text of [
      '{token:8+e.length,',
      'password:+new Date}',
      'secret:12*rate+x;',
      'token=1-offset2*n',
      'key:+t[3],',
    ])
      expect(isLeft(text), text).to.equal(true);
  });
});

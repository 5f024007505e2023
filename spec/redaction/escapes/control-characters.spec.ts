import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { createRedactor, ownRules } from '../../../lib/redaction/index.ts';

const redactor = createRedactor(ownRules);
const base64url = (text: string): string => Buffer.from(text).toString('base64url');
const secrets: Readonly<Record<string, string>> = {
  'a JWT': [
    base64url('{"alg":"HS256"}'),
    base64url('{"sub":"1234567890"}'),
    randomBytes(32).toString('base64url'),
  ].join('.'),
  'a bearer token': `Bearer ${randomBytes(24).toString('hex')}`,
  'a key of AWS': `AKIA${Array.from(randomBytes(16), (byte) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.charAt(byte % 32)).join('')}`,
};

describe('a secret after an escaped control character', () => {
  for (const [name, secret] of Object.entries(secrets))
    for (const sign of ['\\u0000', '\\u001b[31m', '\\x1b[0m', '\\x07', '%00', '%1b[31m', '&#27;[1m'])
      it(`is redacted: ${name} after ${sign}`, () => {
        const { text } = redactor.redact(`log ${sign}${secret} end`);
        expect(text).to.not.include(secret.slice(-10));
        expect(text).to.include(`log ${sign}`);
      });
});

import { expect } from 'chai';
import { createRedactor, ownRules } from '../../../lib/redaction/index.ts';
import { seeded } from '../example-of.ts';

const redactor = createRedactor(ownRules);
const isLeft = (text: string) => redactor.redact(text).text === text;
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RUNS = 500;
const LEAST = 0.95;

describe('an unquoted secret without digits', () => {
  for (const signs of ['', '_-'])
    it(`is redacted if its letters are random: ${signs || 'letters only'}`, () => {
      const random = seeded(7);
      const letters = LETTERS + signs;
      const value = () =>
        `k${Array.from({ length: 21 }, () => letters[Math.floor(random() * letters.length)]).join('')}`;
      const left = Array.from({ length: RUNS }, () => `api_key=${value()}`).filter(isLeft);
      expect(1 - left.length / RUNS, left.slice(0, 5).join(' ')).to.be.at.least(LEAST);
    });

  it('stays if it is a name', () => {
    for (const name of [
      'getPasswordFromRequestBody',
      'parseXMLHttpRequestBody',
      'user_password_confirmation',
      'DEFAULT_ADMIN_PASSWORD_HASH',
      'forgot-password-reset-button',
      'newHTMLParserForURLs',
      'encryptedSecretAccessKeyBytes',
      'oauthClientSecretSchlüssel'.replace('ü', 'ue'),
      'bcryptHashSyncWithSaltRounds',
    ])
      for (const text of [`password: ${name}`, `api_key=${name}`, `secret = ${name};`])
        expect(isLeft(text), text).to.equal(true);
  });
});

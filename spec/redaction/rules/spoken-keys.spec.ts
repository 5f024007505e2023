import { expect } from 'chai';
import { createRedactor, rulesNamed } from '../../../lib/redaction/index.ts';

const redactor = createRedactor(rulesNamed());
const V = 'k3j9X2m8Q5w7z1'.concat('v4b6N0c8d2');
const HEX = '9f7d929b018cdffb'.concat('338517efa06f5835');

describe('a key in a sentence without a sign of assignment', () => {
  for (const name of [
    'API key',
    'Datadog API key',
    'secret key',
    'access key',
    'client secret',
    'auth token',
    'Api Key',
  ])
    for (const value of [V, HEX])
      it(`is redacted behind its name: ${name} ${value.slice(0, 4)}`, () => {
        const { text, findings } = redactor.redact(`Here is the ${name} ${value}, use it.\n`);
        expect(text).to.not.include(value);
        expect(findings.map(({ confidence }) => confidence)).to.deep.equal(['assigned']);
      });

  for (const name of ['Stripe key', 'OpenAI Key', 'my SendGrid key'])
    it(`is redacted as a guess behind the name of a service: ${name}`, () => {
      const { text, findings } = redactor.redact(`${name} ${V}\n`);
      expect(text).to.equal(`${name} [REDACTED:key-word]\n`);
      expect(findings.map(({ confidence }) => confidence)).to.deep.equal(['guessed']);
    });

  it('excludes words, names of keys, public keys and fingerprints', () => {
    for (const text of [
      'Stripe key management',
      'Stripe API key management2 and rotation',
      'the secret key rotation-2024-01 job',
      'an API key sha256-based hash',
      'GPG key 4AEE18F83AFDEB23',
      `Public key ${V}`,
      `Primary key ${V}`,
      `Object key ${V}`,
      `the key ${V}`,
      'Foreign key fk_user_id_2024_account',
      'Press key Ctrl+Shift+F12',
      'The API key createApiKeyV2Request',
      'the access key AccessKeyIdV2Example',
    ])
      expect(redactor.redact(`${text}\n`).findings, text).to.deep.equal([]);
  });
});

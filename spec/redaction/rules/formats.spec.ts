import { expect } from 'chai';
import { createRedactor, rulesNamed } from '../../../lib/redaction/index.ts';

const redactor = createRedactor(rulesNamed());
const LETTERS = 'k3j9x2m8q5w7z1v4b6n0c8d2f4g6h1J3K5L7';
const HEX = '0a1b2c3d4e5f60718293a4b5c6d7e8f9';
const UUID = '0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9';
const some = (length: number, from = LETTERS) => from.repeat(12).slice(0, length);

describe('a credential format', () => {
  const cases: Readonly<Record<string, string>> = {
    'cloudflare-token': `cfat_${some(48)}`,
    'atlassian-token': `ATATT3${some(180)}=${some(8, HEX).toUpperCase()}`,
    'okta-ssws-token': `SSWS 00${some(40)}`,
    'databricks-token': `dapi${some(32, HEX).toUpperCase()}`,
    'dependency-track-key': `odt_${some(32)}`,
    'discord-bot-token': `M${some(23)}.${some(6)}.${some(38)}`,
    'newrelic-admin-key': `NRAA-${some(27)}`,
    'newrelic-license-key': `${some(36, HEX)}NRAL`,
    'teams-webhook': `https://acme.webhook.office.com/webhookb2/${UUID}@${UUID}/IncomingWebhook/${some(32, HEX)}/${UUID}`,
    'teams-workflow': `https://prod-01.westeurope.logic.azure.com:443/workflows/x/triggers/manual/paths/invoke?api-version=1&sig=${some(43)}`,
    'bcrypt-hash': `$2a$10$${some(53)}`,
    'crypt-hash': `$6$${some(16)}$${some(86)}`,
    'argon2-hash': `$argon2id$v=19$m=65536,t=3,p=4$${some(22)}$${some(43)}`,
    'ethereum-key': `deployer_private_key = 0x${some(64, HEX)}`,
  };
  for (const [rule, text] of Object.entries(cases)) {
    it(`matches a ${rule}`, () => {
      const { findings } = redactor.redact(`so ${text} on`);
      expect(findings).to.have.length(1);
      expect(findings[0]?.end).to.equal(3 + text.length);
    });
  }

  it('matches tokens of any length if the length is a guess', () => {
    for (const head of ['cfat_', 'cfut_', 'cfk_', 'odt_']) {
      for (const length of [24, 32, 40, 53, 64, 100, 200]) {
        expect(redactor.redact(`so ${head}${some(length)} on`).text, `${head} ${length}`).to.match(
          /^so \[REDACTED:[\w-]+\] on$/,
        );
      }
    }
  });

  it('redacts only the secret part of a Teams webhook', () => {
    const host = 'https://acme.webhook.office.com/webhookb2/';
    const { text } = redactor.redact(`${host}${UUID}@${UUID}/IncomingWebhook/${some(32, HEX)}/${UUID}/V2${some(30)} `);
    expect(text).to.equal(`${host}[REDACTED:teams-webhook] `);
  });

  it('treats 64 hexadecimal digits alone as a hash', () => {
    expect(redactor.redact(`so 0x${some(64, HEX)} and ${some(64, HEX)} on`).findings).to.deep.equal([]);
  });

  it('rejects IBANs with check digits that no bank issues', () => {
    // The two differ by 97, so that the remainder is the same.
    const known = ['DE', '02', '370400440532013000'];
    for (const digits of ['00', '01', '99']) {
      expect(redactor.redact(`to ${known[0]}${digits}${known[2]} `).findings).to.deep.equal([]);
    }
  });
});

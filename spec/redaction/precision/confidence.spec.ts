import { expect } from 'chai';
import { type Confidence, createRedactor, type Rule, rulesNamed } from '../../../lib/redaction/index.ts';

const redactor = createRedactor(rulesNamed());
const made = 'k3j9X2m8'.concat('Q5w7z1v4b6');
const hex = '9f7d929b018cdffb'.concat('338517efa06f5835');
const found: Readonly<Record<Confidence, readonly string[]>> = {
  format: [
    `a ghp_${'a1B2c3D4'.repeat(4)}e5F6 b`,
    `${'-'.repeat(5)}BEGIN PRIVATE KEY${'-'.repeat(5)}\nMIIEvQIBADANBgkqhkiG9w0BAQ\n`,
    'IBAN DE89 3704 0044 0532 0130 00.',
    'my card: 4111111111111111',
  ],
  assigned: [
    `DB_PASSWORD=${made}`,
    `const apiKey = "${made}";`,
    `Authorization: Bearer ${made}`,
    `https://bob:${made}@host/db`,
    `The password is ${made}.`,
    `mysql -u root -p${made}`,
    `deepgram_token = "${hex}${hex.slice(0, 8)}"`,
  ],
  guessed: [
    'password: sunflower88',
    'const password = "Palavra-passe";',
    'pwd = Sunny_Garden',
    'order 4111111111111111 has left',
    'phone: 0171 2345678',
    'setPassword("sunflower88")',
  ],
};

describe('the confidence of a finding', () => {
  for (const [confidence, texts] of Object.entries(found)) {
    for (const text of texts) {
      it(`is ${confidence}: ${text.slice(0, 24)}`, () => {
        const { findings } = redactor.redact(`${text}\n`);
        expect([...new Set(findings.map((finding) => finding.confidence))]).to.deep.equal([confidence]);
      });
    }
  }

  it('is the highest of overlapping findings', () => {
    const rules: readonly Rule[] = [
      { id: 'guess', pattern: /key=(\w+)/, confidence: 'guessed' },
      { id: 'sure', pattern: /\bab\w+/ },
    ];
    const [finding, ...others] = createRedactor(rules).redact('key=abc ').findings;
    expect(finding).to.include({ rule: 'guess', confidence: 'format' });
    expect(others).to.deep.equal([]);
  });

  it('is the highest if the function of a rule throws', () => {
    const confidence = (): Confidence => {
      throw new Error('cannot tell');
    };
    const { findings } = createRedactor([{ id: 'odd', pattern: /key=(\w+)/, confidence }]).redact('key=abc ');
    expect(findings).to.deep.equal([{ rule: 'odd', confidence: 'format', start: 4, end: 7 }]);
  });

  it('decides which findings are only reported and stay in the text', () => {
    const text = `password: sunflower88\nDB_PASSWORD=${made}\n`;
    const { text: shown, findings } = redactor.redact(text, { leave: ['guessed'] });
    expect(shown).to.equal('password: sunflower88\nDB_PASSWORD=[REDACTED:env-password]\n');
    expect(findings.map(({ confidence }) => confidence)).to.deep.equal(['guessed', 'assigned']);
  });
});

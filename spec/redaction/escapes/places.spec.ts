import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { createRedactor, createSecretMemory, rulesNamed } from '../../../lib/redaction/index.ts';
import { encodings } from './encodings.ts';

const redactor = createRedactor(rulesNamed());
const TOKEN = 'ghp_'.concat('k3j9x2m8q5w7z1v4b6n0c8d2f4g6h1J3K5L7');
const VALUE = 'Hq7vT2'.concat('@mZ9!xkB4');
const byName = (name: string) => encodings[name]!.encode;

describe('the place of a secret in escapes', () => {
  for (const [name, { encode }] of Object.entries(encodings)) {
    it(`covers all of its escapes in the original text: ${name}`, () => {
      const text = `so ${encode(TOKEN)} on`;
      const { findings } = redactor.redact(text);
      expect(findings).to.deep.equal([
        { rule: 'github-pat', confidence: 'format', start: 3, end: 3 + encode(TOKEN).length },
      ]);
    });
  }

  it('excludes escaped quotes around it', () => {
    const encode = byName('percent in percent');
    expect(redactor.redact(`?next=${encode(`password="${VALUE}"`)}&on=1`).text).to.equal(
      `?next=${encode('password="')}[REDACTED:password]${encode('"')}&on=1`,
    );
  });

  it('covers a soft line break before a hyphen, but not one before a list or the end of a PEM block', () => {
    const key = 'xkeysib-'.concat(createHash('sha256').update('key').digest('hex'), '-bQtUN3MTKyzlQwEg');
    const broken = key.replace(/-(?=bQ)/, '=\n-');
    expect(redactor.redact(`so ${broken} on`).text).to.equal('so [REDACTED:brevo-key] on');
    for (const next of ['- item', '-----END', ' - item'])
      expect(redactor.redact(`${'so '.repeat(22)}=\n${next}`).findings).to.deep.equal([]);
  });

  it('keeps JSON and links valid', () => {
    const inner = JSON.stringify({ a: 'x\n', password: VALUE, b: [1] });
    const { text } = redactor.redact(JSON.stringify({ body: inner }));
    expect(JSON.parse(JSON.parse(text).body)).to.deep.equal({ a: 'x\n', password: '[REDACTED:password]', b: [1] });
    const link = `https://a.io/?next=${encodeURIComponent(`https://b.io/?x=1&token=${TOKEN}`)}&y=2 `;
    expect(redactor.redact(link).text).to.equal(link.replace(TOKEN, '[REDACTED:github-pat]'));
  });

  it('is found again in plain form after a memory has stored the value', () => {
    const memory = createSecretMemory();
    redactor.redact(`${byName('percent throughout')(`password="${VALUE}"`)}\n`, { memory });
    expect(redactor.redact(`then ${VALUE} on`, { memory }).text).to.match(/^then \[REDACTED:[\w-]+\] on$/);
  });
});

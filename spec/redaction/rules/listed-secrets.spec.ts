import { expect } from 'chai';
import fc from 'fast-check';
import { createRedactor, createSecretMemory, rulesNamed } from '../../../lib/redaction/index.ts';
import { seeded } from '../example-of.ts';

const redactor = createRedactor(rulesNamed());
const random = seeded(7);
const LETTERS = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ';
const pick = (letters: string): string => letters[Math.floor(random() * letters.length)] as string;
const made = (): string => Array.from({ length: 14 }, (_, at) => pick(at % 3 === 1 ? '23456789' : LETTERS)).join('');

const shapes: Readonly<Record<string, (items: readonly string[]) => string>> = {
  'of Python': (items) => `passwords = [${items.map((item) => `'${item}'`).join(', ')}]`,
  'of JSON': (items) => JSON.stringify({ tokens: items }),
  'of JSON in lines': (items) => JSON.stringify({ apiKeys: items, count: 1 }, null, 2),
  'of YAML': (items) => `secrets:\n${items.map((item) => `  - ${item}\n`).join('')}next: 1`,
  'of YAML in quotes': (items) => `passwords:\n${items.map((item) => `- "${item}"\n`).join('')}next: 1`,
  'of YAML in brackets': (items) => `passwords: [${items.join(', ')}]\nnext: 1`,
  'of YAML in brackets behind the single name': (items) => `password: [${items.join(', ')}]\nnext: 1`,
  'of a variable': (items) => `API_KEYS=${['x9Zq2Lm4Kp7Wd', ...items].join(',')}\nnext: 1`,
  'of a variable in quotes': (items) => `export PASSWORDS="x9Zq2Lm4Kp7Wd,${items.join(',')}"\nnext: 1`,
  'of Java': (items) => `String[] passwords = {${items.map((item) => `"${item}"`).join(',')}};`,
};

describe('a list of secrets', () => {
  for (const [name, shape] of Object.entries(shapes)) {
    it(`is redacted from first to last item: ${name}`, () => {
      for (const count of [1, 2, 3, 4, 10, 60]) {
        const items = Array.from({ length: count }, made);
        const text = `see ${shape(items)} and so on`;
        const { text: shown } = redactor.redact(text);
        for (const item of items) expect(shown, `${count} items`).to.not.include(item);
        expect(shown)
          .to.match(/^see /)
          .and.to.match(/(?:\]|\}|\};|next: 1) and so on$/);
      }
    });
  }

  it('is redacted as a guess if its items are words with numbers, as behind a single name', () => {
    for (const text of [
      'passwords = ["sunflower88", "moonlight77"]',
      '{"passwords":["sunflower88","moonlight77"]}',
      '{"secrets":["sunflower88"]}',
      'passwords: [sunflower88, moonlight77]',
      'PASSWORDS=sunflower88,moonlight77',
    ]) {
      const { text: shown, findings } = redactor.redact(`${text}\n`);
      expect(shown).to.not.match(/sunflower|moonlight/);
      expect(findings.map(({ confidence }) => confidence)).to.deep.equal(['guessed']);
    }
  });

  it('leaves JSON valid', () => {
    const { text } = redactor.redact(JSON.stringify({ tokens: [made(), made(), made(), made()], next: 1 }));
    expect(JSON.parse(text)).to.have.property('next', 1);
  });

  it('is redacted equally in a stream of any chunks', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.values(shapes)),
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 1, max: 40 }),
        (shape, count, size) => {
          const text = `see ${shape(Array.from({ length: count }, made))} and so on`;
          const stream = redactor.stream();
          let shown = '';
          for (let at = 0; at < text.length; at += size) shown += stream.write(text.slice(at, at + size));
          expect(shown + stream.end()).to.equal(redactor.redact(text).text);
        },
      ),
    );
  });

  it('is not a list of names, of columns or of words', () => {
    for (const text of [
      'tokens = ["identifier", "number", "string", "comment", "operator2"]',
      '{"secrets": ["NPM_TOKEN", "GITHUB_TOKEN", "AWS_REGION", "S3_BUCKET"]}',
      'passwords = ["id", "user_id", "created_at", "sha1"]',
      'tokens:\n  - if\n  - else\n  - while\n  - utf8\n',
      'tokens: [identifier, number2, parseInt16, Utf8String]',
      'passwords: [user.password1, config.secret2, process.env.KEY3]',
      'secrets: [S3_BUCKET, NPM_TOKEN]',
      'tokens=a1,b2,c3',
      'render({tokens:[n,r1,t2],secrets:[e.a1(t),n]})',
      'const passwords = ["password1", "newPassword2"]',
      'token: ["the", "of", "and", "x9", "in", "to"]',
    ])
      expect(redactor.redact(text).findings, text).to.deep.equal([]);
  });

  it('adds each item to the memory of a run', () => {
    const memory = createSecretMemory();
    const items = Array.from({ length: 5 }, made);
    redactor.redact(`passwords = ["${items.join('", "')}"]`, { memory });
    expect(memory.size).to.equal(5);
    for (const item of items) expect(redactor.redact(`so ${item} on`, { memory }).text).to.not.include(item);
    const others = createSecretMemory();
    redactor.redact(`passwords: [${items.join(', ')}]`, { memory: others });
    expect(others.size).to.equal(5);
  });
});

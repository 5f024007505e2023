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
  });
});

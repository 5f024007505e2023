import { expect } from 'chai';
import fc from 'fast-check';
import { createRedactor, ownRules } from '../../../lib/redaction/index.ts';
import { exampleOf, seeded } from '../example-of.ts';

const all = createRedactor(ownRules);
const escapes = [
  '\\n',
  '\\t',
  '\\r\\n',
  '%22',
  '%3D',
  '%0A',
  '\\u003d',
  '\\u0022',
  '\\x3d',
  '\x1b[32m',
  '\x1b[1;31m',
  '\x1b[0K',
];
const value = 'Hq7vT2'.concat('mZ9');
/** Tokens that begin at the beginning of a word. */
const tokens = ownRules.filter(({ pattern }) => (pattern as RegExp).source.startsWith('\\b'));

describe('the beginning of a word', () => {
  it('is after an escape or an underscore, for every rule that requires one', () => {
    const random = seeded(44);
    expect(tokens.length).to.be.greaterThan(60);
    for (const rule of tokens) {
      const redactor = createRedactor([rule]);
      const { text } = exampleOf(rule, random);
      for (const before of [...escapes, 'x_']) {
        const said = `${rule.keywords?.[0] ?? ''} so ${before}${text} on`;
        expect(redactor.redact(said).findings, `${rule.id}: ${said}`).not.to.be.empty;
      }
    }
  });

  it('is after an escape for passwords, cards, phone numbers and addresses', () => {
    const said = [
      `password: ${value}`,
      `pwd=${value}`,
      `pw: ${value}`,
      '4111 1111 1111 1111',
      '+49 30 901820',
      'ada@host.org',
      'DE89 3704 0044 0532 0130 00',
    ];
    for (const before of escapes) {
      for (const text of said) expect(all.redact(`so ${before}${text} on`).findings, before + text).to.have.length(1);
    }
  });

  it('is not within a word, nor after half an escape', () => {
    const redactor = createRedactor([{ id: 'r', pattern: /\bab[0-9]{4}/ }]);
    for (const before of ['n', 't', 'xn', '2', '%2', '003d', 'u003d', '32m', '[32m', 'x3d', '\x1b32m', '%g2']) {
      expect(redactor.redact(`${before}ab1234 `).findings, before).to.deep.equal([]);
    }
  });

  it('does not depend on the chunks', () => {
    const redactor = createRedactor([
      { id: 'r', pattern: /\bab[0-9]{2}/ },
      { id: 's', pattern: /\b[0-9]{3}x/ },
    ]);
    const pieces = [...escapes, 'ab12', '123x', '\\', 'n', '%', '2', '\x1b', '[', 'm', '_', ' ', '[REDACTED:r]'];
    let found = 0;
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...pieces), { maxLength: 12 }),
        fc.integer({ min: 1, max: 5 }),
        (parts, size) => {
          const text = parts.join('');
          const whole = redactor.redact(text);
          const stream = redactor.stream();
          let shown = '';
          for (let at = 0; at < text.length; at += size) shown += stream.write(text.slice(at, at + size));
          expect(shown + stream.end()).to.equal(whole.text);
          found += whole.findings.length;
        },
      ),
      { numRuns: process.env['HOOKLINE_SOAK'] ? 100_000 : 4_000 },
    );
    expect(found).to.be.greaterThan(1_000);
  });
});

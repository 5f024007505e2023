import { expect } from 'chai';
import fc from 'fast-check';
import { createRedactor, ownRules } from '../../lib/redaction/index.ts';
import { chunksOf, randomSizes } from './random/random-text.ts';

const redactor = createRedactor(ownRules);
const BODY = 'k3j9x2m8q5w7z1v4b6n0c8d2f4g6h1J3K5L7';
const HEX = '0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d';
const tokens = ['ghp_'.concat(BODY), 'glpat-'.concat(BODY.slice(0, 20)), 'npm_'.concat(BODY), 'squ_'.concat(HEX)];
const breaks = ['\n', '\r\n', '\n    ', '\r\n\t', '\u200b', '\u200c', '\u200d', '\ufeff', '\u00ad', '\u200b\n'];

describe('a broken token', () => {
  it('is redacted as a whole after a line end or an invisible character, in any chunks', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...tokens),
        fc.constantFrom(...breaks),
        fc.nat(100),
        randomSizes,
        (token, gap, place, sizes) => {
          const first = token.search(/[_-]/) + 5;
          const at = first + (place % (token.length - first - 1));
          const text = `see ${token.slice(0, at)}${gap}${token.slice(at)} and on\n`;
          const whole = redactor.redact(text);
          expect(whole.text).to.match(/^see \[REDACTED:[\w-]+\] and on\n$/);
          const stream = redactor.stream();
          const parts = chunksOf(text, sizes).map((chunk) => stream.write(chunk));
          expect(parts.join('') + stream.end()).to.equal(whole.text);
          expect(stream.findings).to.deep.equal(whole.findings);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('excludes the next line once it is complete', () => {
    for (const token of tokens) {
      for (const gap of ['\n', '\r\n', '\n    ']) {
        const { text } = redactor.redact(`${token}${gap}Next4Line7\n`);
        expect(text).to.match(/^\[REDACTED:[\w-]+\]\s+Next4Line7\n$/);
      }
    }
  });

  it('excludes a sentence with the same beginning', () => {
    const text = 'the npm_config\n  environment variables and sk-learn\nmodels, ghp_\nsomething\n';
    expect(redactor.redact(text).findings).to.deep.equal([]);
  });

  it('requires a rule that allows it', () => {
    const rule = { id: 'badge', pattern: /\bbdg-[a-z0-9]{12}\b/ };
    const text = 'bdg-abc123\ndef456 ';
    expect(createRedactor([rule]).redact(text).findings).to.deep.equal([]);
    expect(createRedactor([{ ...rule, wraps: true }]).redact(text).text).to.equal('[REDACTED:badge] ');
  });
});

import { expect } from 'chai';
import fc from 'fast-check';
import { createWordRedactor } from '../../../lib/redaction/words/word-redactor.ts';

const letters = [
  'a',
  'b',
  'A',
  'ａ',
  'ß',
  's',
  ' ',
  '\n',
  '.',
  'é',
  'e',
  '\u0301',
  '\u200b',
  '中',
  '文',
  'カ',
  'ﾞ',
  'ガ',
  '😀',
  '𞤀',
  '1',
];
const word = fc.array(fc.constantFrom(...letters), { minLength: 1, maxLength: 4 }).map((all) => all.join(''));
const text = fc.array(fc.constantFrom(...letters), { maxLength: 30 }).map((all) => all.join(''));
const seen = (one: string) => one.replaceAll(/[\s\u200b]/g, '') !== '';
const words = fc.array(word.filter(seen), { minLength: 1, maxLength: 6 });

const spaced = fc
  .array(fc.constantFrom('a', 'b', ' ', '\n', '\u200b', ' '.repeat(40)), { maxLength: 30 })
  .map((all) => all.join(''));

describe('createWordRedactor, for any words and text', () => {
  it('returns the same for any chunks', () =>
    fc.assert(
      fc.property(words, text, fc.boolean(), fc.array(fc.nat(30)), (list, whole, edges, cuts) => {
        const redactor = createWordRedactor({ words: list, label: 'x', whole: edges, replace: () => '*' });
        const once = redactor.redact(whole);
        const stream = redactor.stream();
        const places = [0, ...cuts.filter((cut) => cut < whole.length).sort((a, b) => a - b), whole.length];
        const pieces = places.slice(1).map((to, index) => stream.write(whole.slice(places[index], to)));
        expect(pieces.join('') + stream.end()).to.equal(once.text);
        expect(stream.findings).to.deep.equal(once.findings);
      }),
      { numRuns: 1_000 },
    ));

  it('finds a phrase with single spaces, for any chunks', () => {
    let phrases = 0;
    fc.assert(
      fc.property(spaced, fc.array(fc.nat(400)), (whole, cuts) => {
        const { redact, stream: begin } = createWordRedactor({
          words: ['a b', 'b a b'],
          label: 'x',
          whole: false,
          replace: () => '*',
        });
        const { text: once, findings } = redact(whole);
        const plain = whole.replaceAll('\u200b', '').replaceAll(/\s{1,64}/g, ' ');
        if (!/\s{65}/.test(whole.replaceAll('\u200b', ''))) {
          expect(findings.length > 0).to.equal(plain.includes('a b'));
          if (findings.length > 0) phrases += 1;
        }
        const stream = begin();
        const places = [0, ...cuts.filter((cut) => cut < whole.length).sort((a, b) => a - b), whole.length];
        const pieces = places.slice(1).map((to, index) => stream.write(whole.slice(places[index], to)));
        expect(pieces.join('') + stream.end()).to.equal(once);
        expect(stream.findings).to.deep.equal(findings);
      }),
      { numRuns: 1_000 },
    );
    expect(phrases).to.be.above(20);
  });

  it('finds the words themselves and changes no other text', () =>
    fc.assert(
      fc.property(words, text, (list, whole) => {
        const redactor = createWordRedactor({ words: list, label: 'x', whole: false, replace: (one) => `<${one}>` });
        const { text: shown, findings } = redactor.redact(whole);
        const kept = findings.reduceRight(
          (all, { start, end }) => `${all.slice(0, start)}<${all.slice(start, end)}>${all.slice(end)}`,
          whole,
        );
        expect(shown).to.equal(kept);
        for (const one of list) expect(redactor.redact(one.trim()).findings, one).to.have.length.above(0);
      }),
      { numRuns: 1_000 },
    ));
});

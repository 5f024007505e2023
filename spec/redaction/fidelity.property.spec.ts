import { expect } from 'chai';
import fc from 'fast-check';
import { createRedactor } from '../../lib/redaction/index.ts';

/** Patterns for which the engine must find the same matches as JavaScript's own matcher. */
const patterns = [
  /ab[a-c]{2,4}/,
  /\bab[a-c]{2,4}\b/,
  /ab(?:c|cb)(a*)/,
  /ab?c+?(?:a|b)/,
  /(?:^|[ .])([abc]{2}\.[abc]{1,3})/,
  /ab(?:[abc]{1,3} ){1,2}c/,
  /ab((?:ca|c)+)b?/,
  /abc$|ab(a|b){2}/,
  /\Bab.(?:\b| c)/,
  /ab[^c]{1,4}c\B/,
];
const RUNS = process.env['HOOKLINE_SOAK'] ? 100_000 : 2_000;
const texts = fc.array(fc.constantFrom('a', 'b', 'c', 'ab', 'abc', ' ', '.', '\n'), { maxLength: 40 });

describe('a match of the engine', () => {
  for (const pattern of patterns) {
    it(`equals that of JavaScript: ${pattern}`, () => {
      const redactor = createRedactor([{ id: 'r', pattern }], { mode: 'mask' });
      let found = 0;
      fc.assert(
        fc.property(texts, (parts) => {
          const text = parts.join('');
          const { least, most } = oracle(pattern, text);
          const shown = redactor.redact(text).text;
          for (let at = 0; at < text.length; at++) {
            if (least.has(at)) expect(shown[at], `${JSON.stringify(text)} at ${at}`).to.equal('*');
            if (!most.has(at)) expect(shown[at], `${JSON.stringify(text)} at ${at}`).to.equal(text[at]);
          }
          found += least.size;
        }),
        { numRuns: RUNS },
      );
      // The rarest pattern occurs in some 290 places of 4,000 texts.
      expect(found).to.be.greaterThan(RUNS / 40);
    });
  }
});

/** A slow reference: the places of secrets of consecutive matches, and of matches from any place. */
function oracle({ source, flags }: RegExp, text: string): { least: Set<number>; most: Set<number> } {
  const least = new Set<number>();
  const most = new Set<number>();
  const add = (into: Set<number>, match: RegExpExecArray): void => {
    const groups = (match.indices ?? []).slice(1).filter((span) => span !== undefined);
    const [from, to] = groups.find((span) => span[0] < span[1]) ?? groups[0] ?? match.indices?.[0] ?? [0, 0];
    for (let at = from; at < to; at++) into.add(at);
  };
  for (const match of text.matchAll(new RegExp(source, `${flags}dg`))) add(least, match);
  const sticky = new RegExp(source, `${flags}dy`);
  for (let at = 0; at < text.length; at++) {
    sticky.lastIndex = at;
    const match = sticky.exec(text);
    if (match) add(most, match);
  }
  return { least, most };
}

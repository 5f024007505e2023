import { expect } from 'chai';
import fc from 'fast-check';
import { type Literal, literalScanner } from '../../../lib/redaction/scan/literal-scanner.ts';

/** What the scanner knows after each character of `text`. */
function scan(literals: readonly Literal<number>[], text: string) {
  const { columns, next, findsFrom, found, held } = literalScanner(literals);
  let state = 0;
  return Array.from({ length: text.length }, (_, at) => {
    state = next(state, columns[text.charCodeAt(at)]!);
    return { finds: state >= findsFrom, found: found(state), held: held(state) };
  });
}

/** The same by comparing each literal with the end of the text. */
function compare(literals: readonly Literal<number>[], text: string) {
  return Array.from({ length: text.length }, (_, at) => {
    const read = text.slice(0, at + 1).toLowerCase();
    const ending = literals.filter(({ text }) => read.endsWith(text)).sort((a, b) => b.text.length - a.text.length);
    const begun = literals.flatMap(({ text, lead }) =>
      Array.from({ length: text.length - 1 }, (_, place) => place + 1)
        .filter((length) => lead !== undefined && read.endsWith(text.slice(0, length)))
        .map((length) => length - (lead ?? 0)),
    );
    return {
      finds: ending.length > 0,
      found: ending.map(({ found, text }) => ({ found, length: text.length })),
      held: Math.max(0, ...begun),
    };
  });
}

const textOf = (units: string, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...units), minLength: 1, maxLength });

describe('the scanner of literals', () => {
  it('finds and holds what a comparison with the end of the text does', () => {
    const literals = fc
      .array(fc.tuple(textOf('abcä', 6), fc.option(fc.nat(3), { nil: undefined })), { minLength: 1, maxLength: 12 })
      .map((all) => all.map(([text, lead], found) => ({ text, found, lead })));
    fc.assert(
      fc.property(literals, textOf('abcäABCÄ-', 24), (all, text) => {
        expect(scan(all, text)).to.deep.equal(compare(all, text));
      }),
      { numRuns: 500 },
    );
  });

  it('holds the beginning of a literal of any length', () => {
    const text = 'ab'.repeat(40_000);
    expect(scan([{ text, found: 0, lead: 0 }], text.slice(0, -1)).at(-1)?.held).to.equal(text.length - 1);
  });
});

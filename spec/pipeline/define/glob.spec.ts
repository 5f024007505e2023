import { expect } from 'chai';
import * as fc from 'fast-check';
import { createGlob } from '../../../lib/pipeline/define/matcher.ts';
import { growth, processorTime } from '../../processor-time.ts';

describe('a glob', () => {
  it('matches any characters with *, line breaks included, and exactly one with ?', () => {
    const yes = [
      ['*', ''],
      ['*', 'a\nb'],
      ['a*', 'a'],
      ['*_file', 'read_file'],
      ['a?c', 'abc'],
      ['**a**', 'xay'],
      ['a*b*c', 'a1b2b3c'],
      ['*.ts?', 'x.ts.tsx'],
    ] as const;
    for (const [glob, name] of yes) expect(createGlob(glob)(name), `${glob} ${name}`).to.equal(true);
    const no = [
      ['?', ''],
      ['a*', 'ba'],
      ['a?c', 'ac'],
      ['*a', 'ab'],
      ['a.c', 'abc'],
      ['a*b*c', 'a1c2b'],
      ['[ab]*', 'a'],
    ] as const;
    for (const [glob, name] of no) expect(createGlob(glob)(name), `${glob} ${name}`).to.equal(false);
  });

  it('matches every name like the equivalent regular expression', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*', '?'), maxLength: 12 });
    const seen = { true: 0, false: 0 };
    fc.assert(
      fc.property(text, text, (glob, name) => {
        const source = [...glob].map((c) => (c === '*' ? '.*' : c === '?' ? '.' : c === '.' ? '\\.' : c)).join('');
        const expected = new RegExp(`^${source}$`, 's').test(name);
        seen[`${expected}`]++;
        return createGlob(glob)(name) === expected;
      }),
      { numRuns: 3_000 },
    );
    expect(Math.min(seen.true, seen.false)).to.be.greaterThan(100);
  });

  it('takes linear time for a longer name with any number of stars', () => {
    const matches = createGlob('*a*a*a*a*a*b');
    const cost = (length: number): number => {
      const name = 'a'.repeat(length);
      return processorTime(() => {
        for (let nth = 0; nth < 2_000; nth++) matches(name);
      }, 7);
    };
    expect(matches('a'.repeat(64))).to.equal(false);
    cost(16);
    // The regular expression takes more than 30 times as long.
    expect(
      growth(
        () => cost(16),
        () => cost(32),
        8,
      ),
    ).to.be.lessThan(8);
  });
});

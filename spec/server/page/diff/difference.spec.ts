import { expect } from 'chai';
import fc from 'fast-check';
import { difference, type Part, wordsOf } from '../../../../lib/server/page/diff/difference.ts';
import { jsonChanges } from '../../../../lib/server/page/diff/json-changes.ts';

const side = <T>(parts: readonly Part<T>[], left: 'removed' | 'added') =>
  parts.flatMap(({ kind, items }) => (kind === left ? [] : items));
const show = (parts: readonly Part<string>[]) =>
  parts.map(({ kind, items }) => ({ same: '', removed: '-', added: '+' })[kind] + items.join('')).join('|');

describe('difference of two texts', () => {
  it('is computed by word, and is the shortest', () => {
    const of = (before: string, after: string) => show(difference(wordsOf(before), wordsOf(after)));
    expect(of('rm -rf $CLEAN /', 'rm -rf /tmp/x /')).to.equal('rm -rf |-$CLEAN|+/tmp/x| /');
    expect(of('the quick fox', 'the slow fox')).to.equal('the |-quick|+slow| fox');
    expect(of('', 'new')).to.equal('+new');
    expect(of('same', 'same')).to.equal('same');
  });

  it('restores both texts, and never has two parts of a kind in a row', () => {
    const letters = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 40 });
    fc.assert(
      fc.property(letters, letters, (before, after) => {
        const parts = difference(before, after);
        expect(side(parts, 'added')).to.deep.equal(before);
        expect(side(parts, 'removed')).to.deep.equal(after);
        expect(parts.every(({ kind }, at) => kind !== parts[at - 1]?.kind)).to.equal(true);
      }),
    );
  });

  it('keeps every letter of a text in its words', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(wordsOf(text).join('')).to.equal(text);
      }),
    );
  });

  it('is a replacement for texts with nothing in common, without a long search', () => {
    const long = (sign: string) => Array.from({ length: 100_000 }, (_, at) => `${sign}${at}`);
    const parts = difference(['x', ...long('a'), 'y'], ['x', ...long('b'), 'y']);
    expect(parts.map(({ kind, items }) => `${kind} ${items.length}`)).to.deep.equal([
      'same 1',
      'removed 100000',
      'added 100000',
      'same 1',
    ]);
  });
});

describe('difference of two JSON values', () => {
  it('names the deepest path', () => {
    expect(jsonChanges({ a: { b: 1, c: [1, 2] }, d: 1 }, { a: { b: 2, c: [1] }, e: null }, 'input')).to.deep.equal([
      { path: 'input.a.b', before: 1, after: 2 },
      { path: 'input.a.c.1', before: 2 },
      { path: 'input.d', before: 1 },
      { path: 'input.e', after: null },
    ]);
    expect(jsonChanges([1], { 0: 1 })).to.deep.equal([{ path: '', before: [1], after: { 0: 1 } }]);
  });

  it('is empty only for equal values', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        expect(jsonChanges(a, structuredClone(a))).to.deep.equal([]);
        expect(jsonChanges(a, b).length === 0).to.equal(JSON.stringify(a) === JSON.stringify(b) || equal(a, b));
      }),
    );
  });
});

function equal(a: unknown, b: unknown): boolean {
  try {
    expect(a).to.deep.equal(b);
    return true;
  } catch {
    // chai distinguishes 0 from -0.
    return JSON.stringify(a) === JSON.stringify(b);
  }
}

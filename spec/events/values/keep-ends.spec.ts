import { expect } from 'chai';
import { cutMiddle, keepEnds } from '../../../lib/events/values/keep-ends.ts';

describe('keepEnds', () => {
  function keep(pieces: string[], maxCharacters: number): string {
    const kept = keepEnds(maxCharacters);
    return pieces.map((piece) => kept.take(piece)).join('') + kept.rest();
  }

  it('keeps a whole text within the limit', () => {
    expect(keep(['ab', '', 'cdef', 'gh'], 8)).to.equal('abcdefgh');
  });

  it('keeps the beginning and the end, in any pieces', () => {
    const text = 'abcdefghijklmnopqrstuvwxyz';
    const expected = 'abc\n[20 characters are left out here.]\nxyz';
    for (let size = 1; size <= text.length; size += 1) {
      expect(keep(text.match(new RegExp(`.{1,${size}}`, 'g'))!, 6), `pieces of ${size}`).to.equal(expected);
    }
  });

  it('does not split a surrogate pair', () => {
    for (let max = 2; max < 12; max += 1) {
      expect(keep(['x👩👩', '👩👩👩👩👩'], max)).to.not.match(/\p{Surrogate}/u);
    }
  });

  it('keeps the order if a surrogate pair exceeds the limit', () => {
    expect(keep(['x👩', 'yz'], 4)).to.equal('x\n[2 characters are left out here.]\nyz');
  });

  it('cuts a whole text', () => {
    expect(cutMiddle('abcdef', 6)).to.equal('abcdef');
    expect(cutMiddle('abcdefgh', 4)).to.equal('ab\n[4 characters are left out here.]\ngh');
  });
});

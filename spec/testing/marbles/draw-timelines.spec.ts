import { expect } from 'chai';
import { drawTimelines } from '../../../lib/testing/marbles/draw-timelines.ts';

describe('drawTimelines', () => {
  it('draws marbles in columns under their frames', () => {
    const expected = [
      { frame: 0, letter: 'a' },
      { frame: 0, letter: 'b' },
      { frame: 1000, letter: '|' },
    ];
    const actual = [
      { frame: 0, letter: 'a' },
      { frame: 20, letter: 'b' },
      { frame: 20, letter: '#' },
    ];
    expect(drawTimelines(expected, actual, 20)).to.equal(
      ['frame     0    20   1000', 'expected  (ab)------|', 'actual    a----(b#)', '               ^'].join('\n'),
    );
  });

  it('shows only the parts around the difference', () => {
    const letters = Array.from({ length: 200 }, (_, index) => ({ frame: index * 10, letter: 'a' }));
    const drawn = drawTimelines(letters, letters, 1_000);
    expect(drawn)
      .to.include('\nactual')
      .and.match(/\b1000\b/)
      .and.match(/\^/);
    expect(drawn).not.to.match(/frame {5}0 /);
    expect(drawn).not.to.include(' 1990');
    expect(drawn.split('\n\n')).to.have.length(3);
  });
});

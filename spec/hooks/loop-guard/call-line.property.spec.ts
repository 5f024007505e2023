import { expect } from 'chai';
import fc from 'fast-check';
import { type CallMade, emptyLine, repeatedIn, withCall } from '../../../lib/hooks/loop-guard/call-line.ts';

const made = (call: string, turn: number): CallMade => ({ call, tool: call, turn: String(turn) });
const own = (calls: readonly CallMade[]) => ({ ...emptyLine, own: calls });
const line = (names: readonly string[]) =>
  names.reduce<readonly CallMade[]>((all, name, turn) => withCall(all, made(name, turn), 1_000), []);

describe('repeatedIn', () => {
  it('counts the row at the end, whatever came before', () =>
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', 'c')), fc.integer({ min: 1, max: 9 }), (before, times) => {
        const found = repeatedIn(own(line([...before, 'b', 'c', 'd', ...Array<string>(times).fill('x')])));
        expect(found).to.deep.equal({ times, tools: ['x'] });
      }),
    ));

  it('counts rounds of two, in any order within a round', () =>
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 2, maxLength: 9 }), (flips) => {
        const rounds = flips.flatMap((flip, turn) =>
          flip ? [made('x', turn), made('y', turn)] : [made('y', turn), made('x', turn)],
        );
        const { times, tools } = repeatedIn(own([made('c', -2), made('d', -1), ...rounds]));
        expect(times).to.equal(flips.length);
        expect([...tools].sort()).to.deep.equal(['x', 'y']);
      }),
    ));

  it('finds nothing that is repeated in three by turns', () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), (rounds) => {
        const names = Array.from({ length: rounds }, () => ['x', 'y', 'z']).flat();
        expect(repeatedIn(own(line(names))).times).to.equal(1);
      }),
    ));

  it('keeps no more calls than it is told', () =>
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b')), fc.integer({ min: 1, max: 9 }), (names, most) => {
        const kept = names.reduce<readonly CallMade[]>((all, name, turn) => withCall(all, made(name, turn), most), []);
        expect(kept.length).to.be.at.most(most);
      }),
    ));
});

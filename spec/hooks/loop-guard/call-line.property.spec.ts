import { expect } from 'chai';
import fc from 'fast-check';
import {
  type CallMade,
  emptyLine,
  readLine,
  repeatedIn,
  saveLine,
  withCall,
} from '../../../lib/hooks/loop-guard/call-line.ts';

const made = (call: string, turn: number): CallMade => ({ call, tool: call, turn: String(turn) });
const own = (calls: readonly CallMade[]) => ({ ...emptyLine, own: calls });
const line = (names: readonly string[]) =>
  names.reduce<readonly CallMade[]>((all, name, turn) => withCall(all, made(name, turn), 1_000), []);

describe('repeatedIn', () => {
  it('counts the repetitions at the end after any start', () =>
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', 'c')), fc.integer({ min: 1, max: 9 }), (before, times) => {
        const found = repeatedIn(own(line([...before, ...'pqrst', ...Array<string>(times).fill('x')])), 5);
        expect(found).to.deep.equal({ times, tools: ['x'] });
      }),
    ));

  it('counts rounds of two, in any order within a round', () =>
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 2, maxLength: 9 }), (flips) => {
        const rounds = flips.flatMap((flip, turn) =>
          flip ? [made('x', turn), made('y', turn)] : [made('y', turn), made('x', turn)],
        );
        const { times, tools } = repeatedIn(own([made('c', -2), made('d', -1), ...rounds]), 5);
        expect(times).to.equal(flips.length);
        expect([...tools].sort()).to.deep.equal(['x', 'y']);
      }),
    ));

  const cycles = fc.integer({ min: 1, max: 5 }).chain((length) =>
    fc.record({
      length: fc.constant(length),
      rounds: fc.array(fc.shuffledSubarray([...'vwxyz'].slice(0, length), { minLength: length }), {
        minLength: 2,
        maxLength: 9,
      }),
    }),
  );

  it('counts rounds of a few calls, in any order within a round, after any start', () =>
    fc.assert(
      fc.property(cycles, ({ length, rounds }) => {
        const { times, tools } = repeatedIn(own(line([...'abcdef', ...rounds.flat()])), 5);
        expect(times).to.be.at.least(rounds.length);
        if (times === rounds.length) expect(tools).to.have.length.at.most(length);
        expect(repeatedIn(own(line([...rounds.flat(), 'new'])), 5).times).to.equal(1);
      }),
    ));

  it('counts no cycle longer than the limit', () =>
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 5 }), fc.integer({ min: 1, max: 20 }), (length, rounds) => {
        const names = Array.from({ length: rounds }, () => [...'vwxyz'].slice(0, length)).flat();
        expect(repeatedIn(own(line(names)), length - 1).times).to.equal(1);
        expect(repeatedIn(own(line(names)), length).times).to.equal(rounds);
      }),
    ));

  it('keeps no more calls than the limit', () =>
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b')), fc.integer({ min: 1, max: 9 }), (names, most) => {
        const kept = names.reduce<readonly CallMade[]>((all, name, turn) => withCall(all, made(name, turn), most), []);
        expect(kept.length).to.be.at.most(most);
      }),
    ));

  it('matches a call with grown counters to the one before, and no other', () =>
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(9), fc.nat(9)), { minLength: 1, maxLength: 9 }), (values) => {
        const calls = values.reduce<readonly CallMade[]>(
          (all, counters, turn) => withCall(all, { ...made(`c${counters}`, turn), shape: 's', counters }, 100),
          [],
        );
        for (const [at, { call }] of calls.entries()) {
          const before = calls[at - 1];
          if (!before) continue;
          const [a = 0, b = 0] = before.counters ?? [];
          const [c = 0, d = 0] = calls[at]?.counters ?? [];
          const grown = c >= a && d >= b && c + d > a + b;
          if (grown) expect(call).to.equal(before.call);
          else expect(call).to.equal(`c${[c, d]}`);
        }
      }),
    ));

  it('reads its saved line, also one without counters', () => {
    const calls = fc.record({
      call: fc.constantFrom('a-_', 'b'),
      tool: fc.oneof(fc.string(), fc.constantFrom('two\nlines', '50%', '%0A', '%25\n')),
      turn: fc.constantFrom('r.1', 'r.2'),
    });
    const counted = fc.record({ shape: fc.constantFrom('s', 't'), counters: fc.array(fc.nat(), { minLength: 1 }) });
    const all = fc.array(
      fc.oneof(
        calls,
        fc.tuple(calls, counted).map(([one, more]) => ({ ...one, ...more })),
      ),
    );
    fc.assert(
      fc.property(fc.record({ before: all, since: all, own: all }), (kept) => {
        expect(readLine(JSON.parse(JSON.stringify(saveLine(kept))))).to.deep.equal(kept);
      }),
    );
    // As saved by earlier versions.
    const old = readLine({ before: [], since: [], own: ['r.1 hash my tool'] });
    expect(old.own).to.deep.equal([{ turn: 'r.1', call: 'hash', tool: 'my tool' }]);
  });
});

import { expect } from 'chai';
import fc from 'fast-check';
import { CallNames, callIdIn, isNamed } from '../../lib/chat/call-names.ts';

const runs = ['6f1c52c8-6a3e-4f0e-9a52-5a1d2f0e7a10', '6f1c52c8-6a3e-4f0e-9a52-5a1d2f0e7a11'];
const id = fc.constantFrom('c1', 'c2', 'a/b', `${runs[0]}/c1`);
const run = fc.constantFrom(...runs).map((runId) => ({ runId }));

describe('call names', () => {
  it('never repeat, regardless of the IDs of models and of the calls that the client shows', () => {
    fc.assert(
      fc.property(fc.array(id), fc.array(fc.tuple(run, id)), (shown, calls) => {
        const names = new CallNames(shown);
        const given = calls.map(([of, call]) => names.give(of, call));
        expect(new Set([...shown, ...given]).size).to.equal(new Set(shown).size + given.length);
        for (const [at, [of, call]] of calls.entries()) {
          const name = given[at] as string;
          expect(name === call || isNamed(name, `${of.runId}/${call}`), name).to.equal(true);
          if (name !== call) expect(callIdIn(name)).to.equal(call);
        }
      }),
    );
  });

  it('are those of an earlier stream when a run is resumed', () => {
    const [before = '', now = ''] = runs;
    const first = new CallNames(['c1']);
    const shown = [first.give({ runId: before }, 'c1'), first.give({ runId: before }, 'c1')];
    const then = new CallNames(['c1', ...shown]);
    expect(then.of({ runId: now, resumedFrom: before }, 'c1')).to.equal(shown.at(-1));
    const named = new CallNames(['c1'], new Map([[`${before}/c1`, 'x']]));
    expect(named.of({ runId: now, resumedFrom: before }, 'c1')).to.equal('x');
    expect(named.of({ runId: now, resumedFrom: before }, 'c2')).to.equal('c2');
  });
});

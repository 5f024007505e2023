import { expect } from 'chai';
import fc from 'fast-check';
import { map, range } from 'rxjs';
import { Fifo } from '../../../lib/events/values/fifo.ts';
import { createPipeline, defineHook } from '../../../lib/index.ts';
import { callOf, hear, toolOf } from '../../pipeline/scene.ts';

describe('a fifo', () => {
  it('returns the same values as a list with push and shift, in any order', () => {
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.record({ push: fc.nat(3_000) }) },
      { weight: 6, arbitrary: fc.record({ shift: fc.nat(3_000) }) },
      { weight: 1, arbitrary: fc.constant('clear' as const) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const fifo = new Fifo<number>();
        const list: number[] = [];
        let next = 0;
        for (const one of steps) {
          if (one === 'clear') {
            fifo.clear();
            list.length = 0;
          } else if ('push' in one) {
            for (let n = 0; n < one.push; n++) {
              next += 1;
              fifo.push(next);
              list.push(next);
            }
          } else for (let n = 0; n < one.shift; n++) expect(fifo.shift()).to.equal(list.shift());
          expect(fifo.length).to.equal(list.length);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('keeps up with a source a hundred thousand chunks ahead of an asynchronous handler', async () => {
    const chunks = 100_000;
    const hook = defineHook({ name: 'later', on: { actingChunk: async () => {} } });
    const run = createPipeline([hook], { buffer: { chunks: chunks + 1 } }).start({ agent: 'a' });
    const tool = toolOf('t', () => range(0, chunks).pipe(map(() => 'x')));
    const heard = hear(run.act(callOf('t'), [tool]));
    await heard.ended;
    expect(heard.of('actingChunk')).to.have.length(chunks + 1);
  });
});

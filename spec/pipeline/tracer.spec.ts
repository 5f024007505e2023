import { expect } from 'chai';
import { lastValueFrom, map, of } from 'rxjs';
import { createPipeline, defineHook, modify, type TraceReport } from '../../lib/index.ts';

describe('the trace of a chunk', () => {
  it('says what handlers and operators have done to it, in order', async () => {
    const pipeline = createPipeline(
      [
        defineHook({
          name: 'upper',
          on: {
            reasoningChunk: (chunk) => (chunk.last ? undefined : modify(chunk, { delta: chunk.delta.toUpperCase() })),
          },
        }),
        defineHook({
          name: 'dots',
          through: { reasoningChunk: map((chunk) => modify(chunk, { delta: `${chunk.delta}.` })) },
        }),
        defineHook({ name: 'same', through: { reasoningChunk: (chunks$) => chunks$ } }),
      ],
      { trace: true },
    );
    const reports: TraceReport[] = [];
    pipeline.traces$.subscribe((report) => reports.push(report));
    await lastValueFrom(
      pipeline.start({ agent: 'a' }).reason({ messages: [] }, () => of({ type: 'text', delta: 'x' })),
    );
    const chunk = reports.find(({ event }) => event.type === 'reasoningChunk' && event.delta === 'X.');
    const told = chunk?.steps.map(({ hook, stage, effect }) => `${hook} ${stage} ${effect}`);
    expect(told).to.deep.equal(['upper on changed', 'dots through changed', 'same through passed']);
  });
});

import { expect } from 'chai';
import { applyEntry } from '../../../lib/config/kinds/apply-entry.ts';
import { createPipeline, defineHook, type Hook, modify, type TraceReport, type TraceStep } from '../../../lib/index.ts';
import { callOf, hear, toolOf } from '../scene.ts';

const rewriter = defineHook({
  name: 'rewriter',
  on: { preActing: (event) => modify(event, { toolCall: { ...event.toolCall, input: { a: 2 } } }) },
});
const show = (type: string, steps: readonly TraceStep[] | undefined) =>
  `${type} ${steps?.map(({ hook, effect, paths = [] }) => [hook, effect, ...paths].join(' ')).join(', ')}`;

async function play(...hooks: Hook[]): Promise<{ reports: string[] }> {
  const pipeline = createPipeline([rewriter, ...hooks]);
  const reports: string[] = [];
  pipeline.traces$.subscribe(({ event, steps }: TraceReport) => reports.push(show(event.type, steps)));
  await hear(pipeline.start({ agent: 'a' }).act(callOf('t'), [toolOf('t', () => 'x')])).ended;
  await pipeline.flush();
  return { reports };
}

describe('a traced observer', () => {
  it('receives the trace of an event, at once or later, and others do not', async () => {
    const told: string[] = [];
    const late: string[] = [];
    const untold: (readonly TraceStep[] | undefined)[] = [];
    const { reports } = await play(
      defineHook({ name: 'a', traced: true, observe: ({ type }, _, steps) => void told.push(show(type, steps)) }),
      defineHook({
        name: 'b',
        traced: true,
        async observe({ type }, _, steps) {
          await null;
          late.push(show(type, steps));
        },
      }),
      defineHook({ name: 'c', observe: (_, __, steps) => void untold.push(steps) }),
    );
    expect(told[0]).to.equal('preActing rewriter changed toolCall.input.a');
    expect(told.at(-1)).to.equal('postActing ');
    expect(late).to.deep.equal(told);
    expect(reports).to.deep.equal(told);
    expect(new Set(untold)).to.deep.equal(new Set([undefined]));
  });

  it('turns on tracing for its pipeline', async () => {
    const { reports } = await play(defineHook({ name: 'c', observe() {} }));
    expect(reports).to.deep.equal([]);
  });

  it('stays traced in a configuration entry', () => {
    const hook = defineHook({ name: 'a', traced: true, observe() {} });
    expect(applyEntry(hook, 'b', { type: 'a' } as never).traced).to.equal(true);
  });

  it('requires observe', () => {
    expect(() => defineHook({ name: 'a', traced: true, on: { preCall() {} } }))
      .to.throw('traced has no effect without "observe"')
      .with.property('code', 'HOOK_INVALID');
  });
});

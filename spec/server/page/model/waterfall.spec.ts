import { expect } from 'chai';
import { createRunModel } from '../../../../lib/server/page/model/run-model.ts';
import { waterfallOf } from '../../../../lib/server/page/model/waterfall.ts';

const run = { runId: 'r', sessionId: 's', agent: 'main', depth: 0 };
const child = { runId: 'c', sessionId: 'c', agent: 'sub', depth: 1, parentRunId: 'r' };
const step = (hook: string, ms: number, stage = 'on') => ({ hook, priority: 1, stage, effect: 'passed', ms });

/** A run: a model request of 100 ms, then a tool call of 300 ms with a sub-agent of 200 ms, after an approval of 50 ms. */
function aRun(upTo = Number.POSITIVE_INFINITY) {
  const model = createRunModel();
  const toolCall = { id: 't', name: 'researcher', input: {} };
  const events: readonly [object, (readonly object[])?][] = [
    [{ type: 'preCall', run, time: 1_000 }],
    [
      { type: 'preReasoning', run, time: 1_010, model: 'big', messages: [], tools: [] },
      [step('hint', 4), step('rag', 6)],
    ],
    [{ type: 'postReasoning', run, time: 1_110, message: { role: 'assistant', parts: [] } }],
    [
      { type: 'preActing', run, time: 1_200, toolCall, notes: [{ by: 'ask', code: 'answered', message: '' }] },
      [step('quick', 0.2), step('ask', 50, 'approve'), step('through', 900, 'through')],
    ],
    [{ type: 'preCall', run: child, time: 1_250 }],
    [{ type: 'preReasoning', run: child, time: 1_260, messages: [], tools: [] }],
    [{ type: 'postReasoning', run: child, time: 1_440, message: { role: 'assistant', parts: [] } }],
    [{ type: 'postCall', run: child, time: 1_450 }],
    [{ type: 'postActing', run, time: 1_500, toolCall, result: { content: '' } }],
    [{ type: 'postCall', run, time: 1_510 }],
  ];
  for (const [at, [event, steps]] of events.entries())
    if (at < upTo) model.append({ seq: at, iteration: 1, ...event } as never, steps as never);
  return waterfallOf(model).map(({ kind, name, node, from, to, selfMs, open }) => [
    `${kind} ${name} ${node}`,
    ...[from, to, selfMs].map(Math.round),
    open,
  ]);
}

describe('the waterfall of a run', () => {
  it('has a named bar for each step, hook and approval, with its self time', () => {
    expect(aRun()).to.deep.equal([
      ['hook hint 0', 0, 4, 4, false],
      ['hook rag 0', 4, 10, 6, false],
      ['model big 0', 10, 110, 100, false],
      ['wait ask 0', 150, 200, 50, false],
      ['tool researcher 0', 200, 500, 100, false],
      ['model model request 1', 260, 440, 180, false],
    ]);
  });

  it('marks steps that have not ended, up to the last event', () => {
    expect(aRun(6).slice(-2)).to.deep.equal([
      ['tool researcher 0', 200, 260, 50, true],
      ['model model request 1', 260, 260, 0, true],
    ]);
  });

  it('counts a sub-agent for the call that started it, not for a call beside it', () => {
    const model = createRunModel();
    const call = (id: string, name: string) => ({ id, name, input: {} });
    const events = [
      { type: 'preActing', run, time: 0, toolCall: call('a', 'sub') },
      { type: 'preActing', run, time: 10, toolCall: call('b', 'search') },
      { type: 'preCall', run: child, time: 20 },
      { type: 'postCall', run: child, time: 90 },
      { type: 'postActing', run, time: 100, toolCall: call('a', 'sub') },
      { type: 'postActing', run, time: 200, toolCall: call('b', 'search') },
    ];
    for (const event of events) model.append(event as never);
    expect(waterfallOf(model).map(({ name, selfMs }) => [name, selfMs])).to.deep.equal([
      ['sub', 30],
      ['search', 190],
    ]);
  });

  it('is empty without events', () => {
    expect(waterfallOf(createRunModel())).to.deep.equal([]);
  });
});

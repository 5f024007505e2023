import { expect } from 'chai';
import { ask, whyNotAsked } from '../../../lib/adapters/langchain/questions.ts';

const question = { prompt: 'Really?', by: 'asks', judged: { id: 'c1', name: 'look', input: { at: 'x' } } };

/** A graph that continues with these answers, one for each interrupt. */
function graph(...given: unknown[]) {
  const asked: unknown[] = [];
  const interrupt = (value: unknown): unknown => {
    asked.push(value);
    return given.shift();
  };
  return { asked, interrupt };
}

describe('an approval prompt in a LangChain agent', () => {
  for (const [given, read] of [
    [true, { approved: true }],
    [false, { approved: false }],
    [
      { approved: true, input: { at: 'y' } },
      { approved: true, input: { at: 'y' } },
    ],
    [
      { approved: false, reason: 'no' },
      { approved: false, reason: 'no' },
    ],
    [{ decisions: [{ type: 'approve' }] }, { approved: true }],
    [{ decisions: [{ type: 'edit', editedAction: { args: { at: 'y' } } }] }, { approved: true, input: { at: 'y' } }],
    [{ decisions: [{ type: 'reject', message: 'no' }] }, { approved: false, reason: 'no' }],
  ] as const) {
    it(`is answered by ${JSON.stringify(given)}`, () => {
      expect(ask(graph(given), question, 0)).to.deep.equal(read);
    });
  }

  for (const given of [
    undefined,
    'yes',
    { approved: 'yes' },
    { approved: true, input: 'x' },
    { approved: true, input: ['x'] },
    { decisions: [] },
    { decisions: [{ type: 'approve' }, { type: 'approve' }] },
    { decisions: [{ type: 'edit' }] },
    { decisions: [{ type: 'maybe' }] },
  ]) {
    it(`rejects ${JSON.stringify(given)} and names the expected form`, () => {
      const { approved, reason } = ask(graph(given), question, 0);
      expect([approved, reason]).to.deep.equal([false, (reason?.match(/^the answer is invalid: use .*/) ?? [])[0]]);
    });
  }

  it('is answered by the value after the earlier answers', () => {
    const { asked, interrupt } = graph(true, false);
    expect(ask({ interrupt }, question, 1)).to.deep.equal({ approved: false });
    expect(asked).to.have.length(2);
  });

  it('is impossible without a checkpointer or with calls that are not separate steps', () => {
    const { interrupt } = graph();
    const alone = { __pregel_checkpointer: {}, __pregel_scratchpad: { currentTaskInput: { lg_tool_call: {} } } };
    const together = { __pregel_checkpointer: {}, __pregel_scratchpad: { currentTaskInput: {} } };
    expect(whyNotAsked({ interrupt, configurable: alone })).to.equal(undefined);
    expect(whyNotAsked({ interrupt, configurable: together })).to.include('version "v1"');
    expect(whyNotAsked({ interrupt, configurable: {} })).to.include('no checkpointer');
    expect(whyNotAsked({ configurable: alone })).to.include('no checkpointer');
  });
});

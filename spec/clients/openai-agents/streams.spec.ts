import { expect } from 'chai';
import { assistantMessage, modify, retry, textOf, userMessage } from '../../../lib/index.ts';
import { call, read, scene } from './scene.ts';

const edit = {
  name: 'edit',
  on: {
    postReasoning: (event: { message: never }) =>
      textOf(event.message).includes('mild')
        ? modify(event as never, { message: assistantMessage('It is warm.') })
        : undefined,
  },
} as never;
const again = {
  name: 'again',
  on: {
    postReasoning: (event: { iteration: number }) =>
      event.iteration === 1 ? retry(event as never, [userMessage('Look harder.')]) : undefined,
  },
} as never;
const redact = {
  name: 'redact',
  on: {
    reasoningChunk: (event: { delta: string }) =>
      modify(event as never, { delta: event.delta.replaceAll('swordfish', '***') }),
  },
} as never;

describe('OpenAI Agents streams with hooks', () => {
  it('show only the message as changed by postReasoning, with buffer', async () => {
    const { run, agent } = scene([{ chunks: ['It is ', 'mild.'] }], [edit], { buffer: true });
    const result = await run(agent('one'), 'Go!', { stream: true });
    const { events, text } = await read(result);
    expect(text).to.equal('It is warm.');
    expect(JSON.stringify(events)).not.to.include('mild');
    expect(result.finalOutput).to.equal('It is warm.');
  });

  it('show nothing of a rejected answer, with buffer', async () => {
    const { run, agent } = scene([{ chunks: ['Guess.'] }, { chunks: ['Sure.'] }], [again], { buffer: true });
    const result = await run(agent('one'), 'Go!', { stream: true });
    const { events, text } = await read(result);
    expect(text).to.equal('Sure.');
    expect(JSON.stringify(events)).not.to.include('Guess');
  });

  it('accept buffer for one run too', async () => {
    const { run, agent } = scene([{ chunks: ['It is ', 'mild.'] }], [edit]);
    const result = await run(agent('one'), 'Go!', { stream: true, hookline: { buffer: true } });
    expect((await read(result)).text).to.equal('It is warm.');
  });

  for (const stream of [false, true])
    it(`reveal no text that hooks removed (${stream ? 'streamed' : 'whole'})`, async () => {
      const thought = {
        ...{ type: 'reasoning', id: 'r1', content: [{ type: 'input_text', text: 'Say swordfish.' }] },
        // Its summary is in `content`.
        rawContent: [{ type: 'reasoning_text', text: 'I know a word.' }],
      };
      const turns = [
        { items: [thought], chunks: ['It is swordfish', '.'], calls: [call('c1', 'look', { at: 'x' })] },
        { chunks: ['Bye.'] },
      ];
      const { run, agent, tool, model } = scene(turns, [redact]);
      const result = await run(agent('one', { tools: [tool('look')] }), 'Go!', { stream });
      const { events } = stream ? await read(result) : { events: [] };
      const { history, rawResponses, newItems, state } = result;
      const told = JSON.stringify([events, history, rawResponses, newItems, state, model.requests[1]!.input]);
      expect(told)
        .to.include('It is ***.')
        .and.include('Say ***.')
        .and.include('I know a word.')
        .and.not.to.include('swordfish');
      expect(events.filter(({ data }) => data?.type === 'model')).to.deep.equal([]);
    });

  it('can be read as text and as a stream', async () => {
    const turns = [{ chunks: ['It is swordfish', '.'] }];
    const one = scene(turns, [redact]);
    const asText = await one.run(one.agent('one'), 'Go!', { stream: true });
    let text = '';
    for await (const delta of asText.toTextStream()) text += delta;
    expect(text).to.equal('It is ***.');
    const two = scene(turns, [redact]);
    const asStream = (await two.run(two.agent('one'), 'Go!', { stream: true })).toStream();
    expect((await read(asStream)).text).to.equal('It is ***.');
  });

  it('end the run as cancelled if abandoned', async () => {
    const { run, agent, recorded } = scene([{ chunks: ['a', 'b', 'c'] }]);
    const result = await run(agent('one'), 'Go!', { stream: true });
    for await (const event of result) if (event.type === 'raw_model_stream_event') break;
    await result.completed;
    expect(recorded.of('postCall').map(({ outcome }) => outcome)).to.deep.equal(['cancelled']);
  });
});

import { handoff } from '@openai/agents-core';
import { expect } from 'chai';
import { deny, finish, modify } from '../../../lib/index.ts';
import { call, read, scene } from './scene.ts';

const turns = [
  { calls: [call('h1', 'transfer_to_second')] },
  { chunks: ['I ', 'look.'], calls: [call('c1', 'look', { at: 'x' })] },
  { chunks: ['Done.'] },
];
const upper = {
  name: 'upper',
  on: { reasoningChunk: (event: never) => modify(event, { delta: (event as { delta: string }).delta.toUpperCase() }) },
} as never;

describe('OpenAI Agents handoffs', () => {
  for (const stream of [false, true])
    it(`apply hooks to the model and tools of the next agent (${stream ? 'streamed' : 'whole'})`, async () => {
      const { run, agent, tool, recorded, ran, model } = scene(turns, [upper]);
      const second = agent('second', { tools: [tool('look')] });
      const first = agent('first', { handoffs: [second] });
      const result = await run(first, 'Go!', { stream });
      if (stream) {
        expect((await read(result)).text).to.equal('I LOOK.DONE.');
        await result.completed;
      }
      expect(result.finalOutput).to.equal('DONE.');
      expect(result.lastAgent.name).to.equal('second');
      expect(ran).to.deep.equal(['look {"at":"x"}']);
      expect(recorded.of('postActing').map(({ toolCall, outcome }) => [toolCall.name, outcome])).to.deep.equal([
        ['transfer_to_second', 'executed'],
        ['look', 'executed'],
      ]);
      expect(recorded.of('postCall').map(({ outcome }) => outcome)).to.deep.equal(['completed']);
      expect(JSON.stringify(model.requests[2]!.input)).to.include('I LOOK.').and.not.to.include('I look.');
    });

  it('reach an agent that only the handoff selects', async () => {
    const { run, agent, tool, recorded } = scene(turns);
    const second = agent('second', { tools: [tool('look')] });
    const chosen = Object.assign(handoff(agent('decoy'), { toolNameOverride: 'transfer_to_second' }), {
      onInvokeHandoff: async () => second,
    });
    const result = await run(agent('first', { handoffs: [chosen] }), 'Go!');
    expect(result.lastAgent.name).to.equal('second');
    expect(recorded.of('postActing').map(({ toolCall }) => toolCall.name)).to.include('look');
  });

  it('keep the agent if they are denied, and return the reason to the model', async () => {
    const no = {
      name: 'no',
      on: { preActing: (event: never) => deny(event, 'nobody is there') },
    } as never;
    const { run, agent, model, recorded } = scene([turns[0]!, { chunks: ['Then I do it.'] }], [no]);
    const first = agent('first', { handoffs: [agent('second')] });
    const result = await run(first, 'Go!');
    expect(result.lastAgent.name).to.equal('first');
    expect(recorded.of('postActing').map(({ outcome }) => outcome)).to.deep.equal(['denied']);
    expect(JSON.stringify(model.requests[1]!.input)).to.include('nobody is there').and.not.to.include('assistant\\":');
  });

  it('may return to an earlier agent', async () => {
    const back = [...turns.slice(0, 1), { calls: [call('h2', 'transfer_to_first')] }, { chunks: ['Back.'] }];
    const { run, agent } = scene(back);
    const second = agent('second');
    const first = agent('first', { handoffs: [second] });
    second.handoffs.push(first);
    const result = await run(first, 'Go!');
    expect([result.lastAgent.name, result.finalOutput]).to.deep.equal(['first', 'Back.']);
  });

  it('make no further model request if a hook finishes there', async () => {
    const end = { name: 'end', on: { postActing: (event: never) => finish(event) } } as never;
    const { run, agent, model, recorded } = scene(turns, [end]);
    await run(agent('first', { handoffs: [agent('second')] }), 'Go!');
    expect(model.requests).to.have.length(1);
    expect(recorded.of('postCall').map(({ outcome }) => outcome)).to.deep.equal(['finished']);
  });
});

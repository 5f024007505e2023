import { expect } from 'chai';
import { modify } from '../../../lib/index.ts';
import { rejection } from '../../tools/rejection.ts';
import { type Any, tool as bare, call, scene } from './scene.ts';

const mild = { chunks: ['It is ', 'mild.'] };
const tool = { description: 'Is of the client.', inputSchema: { type: 'object', properties: {} } };

describe('a Mastra client tool', () => {
  it('is offered, seen by hooks, and run by the client', async () => {
    const clientTools = { blink: { id: 'blink', ...tool }, '2 winks!': { id: '2 winks!', ...tool } };
    const ways = [
      { given: { clientTools }, config: {} },
      { given: {}, config: { defaultOptions: { clientTools } } },
    ];
    for (const { given, config } of ways)
      for (const streamed of [false, true]) {
        const { agent, model, ran, recorded } = scene({
          turns: [{ chunks: ['Look!'], calls: [call('c1', 'blink', { at: 'swordfish' })] }, mild],
          tools: { look: () => 'seen' },
          config,
          hooks: [
            {
              name: 'redacts',
              on: {
                postReasoning: (event) =>
                  modify(event, {
                    message: JSON.parse(JSON.stringify(event.message).replace('swordfish', '[gone]')),
                  }),
              },
            },
          ],
        });
        const result: Any = streamed ? await agent.stream('Go!', given) : await agent.generate('Go!', given);
        if (streamed) await result.consumeStream();
        expect(await result.finishReason).to.equal('tool-calls');
        const [one] = await result.toolCalls;
        expect([one.payload.toolName, one.payload.args]).to.deep.equal(['blink', { at: '[gone]' }]);
        expect((model.requests[0] as Any).tools).to.deep.equal(['look', 'blink', '_2_winks_']);
        expect([ran, model.prompts.length]).to.deep.equal([[], 1]);
        expect(recorded.of('postActing').map(({ outcome }) => outcome)).to.deep.equal(['skipped']);
        expect(recorded.of('postCall').map(({ outcome }) => outcome)).to.deep.equal(['completed']);
      }
  });

  it('does not let a tool with the same name bypass the hooks', async () => {
    const helper = scene({ turns: [mild] });
    const clientTools = { 'agent helper': { id: 'x', ...tool }, 'agent-helper': { id: 'y', ...tool } };
    const { agent, model } = scene({
      turns: [{ calls: [call('c1', 'agent-helper', { prompt: 'Go!' })] }, mild],
      config: { agents: { helper: helper.agent } },
    });
    await agent.generate('Go!', { clientTools });
    expect(helper.model.prompts).to.have.length(0);
    expect(JSON.stringify(model.prompts[1])).to.include('rename the client tool');
  });

  it('cannot be replaced by an input processor', async () => {
    const loads = { id: 'loads', processInputStep: ({ tools }: Any) => ({ tools: { ...tools, blink: loaded } }) };
    const ran: string[] = [];
    const loaded = bare('blink', () => 'raw', ran, {});
    const { agent } = scene({ turns: [mild], config: { inputProcessors: [loads] } });
    const clientTools = { blink: { id: 'blink', ...tool } };
    const told = await rejection(agent.generate('Go!', { clientTools }));
    expect([told.message.includes('"loads" replaces the tool "blink"'), ran]).to.deep.equal([true, []]);
  });

  it('is known only in its own invocation', async () => {
    const helper = scene({ turns: [mild] });
    const { agent, model } = scene({ turns: [mild, mild], config: { agents: { helper: helper.agent } } });
    await agent.generate('Go!', { clientTools: { 'agent-helper': { id: 'x', ...tool } } });
    expect((await rejection(agent.generate('Go!'))).message).to.include('"agent-helper" is not in tools');
    expect(model.prompts).to.have.length(1);
  });
});

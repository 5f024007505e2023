import { type Agent, handoff } from '@openai/agents-core';
import { expect } from 'chai';
import { defineTool } from '../../../lib/index.ts';
import { call, errorOf, scene } from './scene.ts';
import { scriptedAgentsModel } from './scripted-agents-model.ts';

const done = { chunks: ['Done.'] };
const web = { type: 'hosted_tool', name: 'web_search', providerData: {} };
const change = { calls: [call('c1', 'change')] };

describe('OpenAI Agents agents that a tool changes during a run', () => {
  it('have added tools, with hooks, and no removed ones', async () => {
    const { run, agent, tool, model, ran, recorded } = scene([change, { calls: [call('c2', 'extra')] }, done]);
    const changes = tool('change', () => {
      one.tools.splice(one.tools.indexOf(gone), 1);
      one.tools.push(tool('extra'));
    });
    const gone = tool('gone');
    const one = agent('one', { tools: [changes, gone] });
    const result = await run(one, 'Go!');
    expect(result.finalOutput).to.equal('Done.');
    expect(ran).to.deep.equal(['change {}', 'extra {}']);
    expect(recorded.of('postActing').map(({ toolCall }) => toolCall.name)).to.deep.equal(['change', 'extra']);
    expect(model.requests.map(({ tools }) => tools.map(({ name }) => name))).to.deep.equal([
      ['change', 'gone'],
      ['change', 'extra'],
      ['change', 'extra'],
    ]);
  });

  it('cannot add a tool that bypasses hooks, unless it is listed', async () => {
    const turns = [change, done];
    const first = scene(turns);
    const one = first.agent('one', { tools: [first.tool('change', () => void one.tools.push(web as never))] });
    expect(await errorOf(() => first.run(one, 'Go!'))).to.include('"web_search" of agent "one"');
    expect(first.model.requests).to.have.length(1);
    const second = scene(turns, [], { unhooked: ['web_search'] });
    const two = second.agent('two', { tools: [second.tool('change', () => void two.tools.push(web as never))] });
    expect((await second.run(two, 'Go!')).finalOutput).to.equal('Done.');
  });

  it('have changed instructions, model, settings and handoffs', async () => {
    const other = scriptedAgentsModel([{ calls: [call('h1', 'transfer_to_two')] }]);
    const { run, agent, tool, model, recorded } = scene([change, done]);
    const changes = tool('change', () => {
      Object.assign(one, { instructions: 'Be kind.', model: other, modelSettings: { temperature: 1 } });
      one.handoffs.push(agent('two'));
    });
    const one = agent('one', { instructions: 'Be quick.', modelSettings: {}, tools: [changes] });
    const result = await run(one, 'Go!');
    expect([result.finalOutput, result.lastAgent.name]).to.deep.equal(['Done.', 'two']);
    const [asked] = other.requests;
    expect([model.requests[0]!.systemInstructions, asked!.systemInstructions]).to.deep.equal(['Be quick.', 'Be kind.']);
    expect(asked!.modelSettings).to.include({ temperature: 1 });
    expect(recorded.of('postReasoning')).to.have.length(3);
    expect(recorded.of('postActing').map(({ toolCall }) => toolCall.name)).to.deep.equal(['change', 'transfer_to_two']);
  });

  it('may also be changed by their instructions', async () => {
    const clock = defineTool({
      name: 'clock',
      description: 'Tells the time.',
      inputSchema: { type: 'object', properties: {} },
      execute: () => 'noon',
    });
    const calls = [call('c1', 'look'), call('c2', 'extra'), call('h1', 'transfer_to_two')];
    const turns = [...calls.map((one) => ({ calls: [one] })), done];
    const { run, agent, tool, model, ran, recorded } = scene(turns, [{ name: 'time', tools: [clock] }]);
    const [look, extra, two] = [tool('look'), tool('extra'), agent('two')];
    const [three, four] = [agent('three'), handoff(agent('four'))];
    const one = agent('one', {
      tools: [look],
      handoffs: [three, four],
      instructions: (_: unknown, self: Agent) => {
        if (self.tools.length === 2)
          Object.assign(self, { tools: [...self.tools, extra], handoffs: [...self.handoffs, two] });
        self.handoffDescription = 'Asked.';
        return 'Be kind.';
      },
    });
    const result = await run(one, 'Go!');
    expect([result.finalOutput, result.lastAgent.name]).to.deep.equal(['Done.', 'two']);
    expect(model.requests[1]!.tools.map(({ name }) => name)).to.deep.equal(['look', 'extra', 'clock']);
    expect(ran).to.deep.equal(['look {}', 'extra {}']);
    expect(recorded.of('postActing')).to.have.length(3);
    const { tools, handoffs }: { tools: readonly unknown[]; handoffs: readonly unknown[] } = one;
    expect(tools.map((given, at) => given === [look, extra][at])).to.deep.equal([true, true]);
    expect(handoffs.map((given, at) => given === [three, four, two][at])).to.deep.equal([true, true, true]);
    expect(one.handoffDescription).to.equal('Asked.');
  });

  it('throw when code changes the tool list of a copy', async () => {
    const { run, agent, tool } = scene([done]);
    const instructions = (_: unknown, self: Agent): string => `There are ${self.tools.push(tool('extra'))}.`;
    const error = await run(agent('one', { instructions }), 'Go!').catch((thrown) => thrown);
    expect(error).to.be.an.instanceOf(TypeError);
  });
});

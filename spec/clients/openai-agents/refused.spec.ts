import { Runner } from '@openai/agents-core';
import { expect } from 'chai';
import { withHooks } from '../../../lib/adapters/openai-agents/index.ts';
import { createPipeline } from '../../../lib/index.ts';
import { call, errorOf, type Result, scene } from './scene.ts';
import { scriptedAgentsModel } from './scripted-agents-model.ts';

const web = { type: 'hosted_tool', name: 'web_search', providerData: {} };

describe('hooks of OpenAI Agents', () => {
  it('reject an invalid runner and unknown options', async () => {
    const pipeline = createPipeline([]);
    expect(await errorOf(() => withHooks({} as never, pipeline, { agent: 'a' }))).to.include('new Runner()');
    const misspelt = { agent: 'a', bufer: true } as never;
    expect(await errorOf(() => withHooks(new Runner(), pipeline, misspelt))).to.include('did you mean "buffer"');
    const { run, agent } = scene([]);
    expect(await errorOf(() => run(agent('one'), 'Go!', { hookline: { user: 'x' } }))).to.include('userId');
  });

  it('reject tools that bypass them, unless listed, across handoffs', async () => {
    const { run, agent, model } = scene([{ chunks: ['Done.'] }]);
    const one = agent('one', { handoffs: [agent('two', { tools: [web] })] });
    expect(await errorOf(() => run(one, 'Go!')))
      .to.include('"web_search" of agent "two"')
      .and.include('unhooked');
    expect(model.requests).to.have.length(0);
    const result = await run(one, 'Go!', { hookline: { unhooked: ['web_search'] } });
    expect(result.finalOutput).to.equal('Done.');
  });

  it('reject an agent as a tool, unless listed: then only its call is judged', async () => {
    const { run, agent, recorded } = scene([
      { calls: [call('c1', 'helper', { input: 'Help!' })] },
      { chunks: ['Done.'] },
    ]);
    const inner = scriptedAgentsModel([{ chunks: ['Helped.'] }]);
    const helper = agent('helper', { model: inner }).asTool({ toolName: 'helper', toolDescription: 'Helps.' });
    const one = agent('one', { tools: [helper] });
    expect(await errorOf(() => run(one, 'Go!')))
      .to.include('"helper"')
      .and.include('without hooks;');
    const result: Result = await run(one, 'Go!', { hookline: { unhooked: ['helper'] } });
    expect(result.finalOutput).to.equal('Done.');
    expect(inner.requests).to.have.length(1);
    expect(recorded.of('postActing').map(({ result: told }) => told.content)).to.deep.equal(['Helped.']);
    expect(recorded.of('postReasoning')).to.have.length(2);
  });

  it('reject one name instead of a list of names, because parts of it would match', async () => {
    const { run, agent, model } = scene([]);
    const one = agent('one', { tools: [{ ...web, name: 'web' }] });
    for (const unhooked of ['my_web_search', 'web', [1], { web: true }, null]) {
      const options = { agent: 'a', unhooked } as never;
      expect(await errorOf(() => withHooks(new Runner(), createPipeline([]), options))).to.include(
        'a list of tool names',
      );
      expect(await errorOf(() => run(one, 'Go!', { hookline: { unhooked } }))).to.include('a list of tool names');
    }
    expect(model.requests).to.have.length(0);
  });

  it('reject options that are not an object, and an invalid agent', async () => {
    const { run, agent } = scene([]);
    for (const options of [null, 5, 'x'])
      expect(await errorOf(() => run(agent('one'), 'Go!', options as never))).to.include('options of run');
    expect(await errorOf(() => run(agent('one'), 'Go!', { hookline: null }))).to.include('the option hookline');
    for (const none of [undefined, null, {}, 'one'])
      expect(await errorOf(() => run(none as never, 'Go!'))).to.include('new Agent(..)');
  });

  it('reject options that could bypass the hooks, but not plain data', async () => {
    const { run, agent } = scene([{ chunks: ['Fine.'] }]);
    const model = scriptedAgentsModel([]);
    for (const [name, value] of Object.entries({ model, tools: [], modelProvider: 'x', onNew: () => {}, judge: model }))
      expect(await errorOf(() => run(agent('one'), 'Go!', { [name]: value } as never))).to.include(`"${name}"`);
    expect((await run(agent('one'), 'Go!', { effort: { level: 3 } } as never)).finalOutput).to.equal('Fine.');
  });

  it('reject invalid models', async () => {
    const { run, agent } = scene([]);
    expect(await errorOf(() => run(agent('one', { model: {} }), 'Go!'))).to.include('The model of agent "one"');
  });

  it('run an agent as a tool with the provider of the runner itself', async () => {
    const inner = scriptedAgentsModel([{ chunks: ['Helped.'] }]);
    const runner = new Runner({ modelProvider: { getModel: () => inner } });
    const { run, agent, recorded } = scene(
      [{ calls: [call('c1', 'helper', { input: 'Help!' })] }, { chunks: ['Done.'] }],
      [],
      { unhooked: ['helper'] },
      runner,
    );
    const helper = agent('helper', { model: 'small' }).asTool({ toolName: 'helper', toolDescription: 'Helps.' });
    const result = await run(agent('one', { tools: [helper] }), 'Go!');
    expect([result.finalOutput, inner.requests.length]).to.deep.equal(['Done.', 1]);
    expect(recorded.of('postReasoning')).to.have.length(2);
    expect(recorded.of('postActing').map(({ outcome }) => outcome)).to.deep.equal(['executed']);
  });

  it('disable retries of the host and log it', async () => {
    const lines: unknown[] = [];
    const log = {
      debug: () => {},
      info: () => {},
      error: () => {},
      warn: (_: unknown, text?: string) => lines.push(text),
    };
    const model = scriptedAgentsModel([{ error: new Error('busy') }, { chunks: ['Done.'] }]);
    const runner = new Runner();
    const { run } = withHooks(runner, createPipeline([], { log: log as never }), { agent: 'guest' });
    const settings = { retry: { maxRetries: 2, policy: () => true, backoff: { initialDelayMs: 1 } } };
    const one = scene([]).agent('one', { model, modelSettings: settings });
    expect(await run(one, 'Go!').catch((thrown: Error) => thrown.message)).to.equal('busy');
    expect(model.requests).to.have.length(1);
    expect(lines.filter((line) => String(line).startsWith('modelSettings.retry'))).to.have.length(1);
  });

  it("reject arguments that are not an object, even after the host's approval", async () => {
    const { run, agent, tool, ran, model, recorded } = scene([
      { calls: [call('c1', 'look', [1] as never)] },
      { chunks: ['Done.'] },
    ]);
    const one = agent('one', { tools: [tool('look')] });
    const result = await run(one, 'Go!');
    for (const question of result.state.getInterruptions()) result.state.approve(question);
    await run(one, result.state);
    expect(ran).to.deep.equal([]);
    expect(JSON.stringify(model.requests[1]!.input)).to.include('must be a JSON object');
    expect(recorded.of('postActing').at(-1)!.outcome).to.equal('failed');
  });
});

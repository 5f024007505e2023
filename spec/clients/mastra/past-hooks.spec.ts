import { expect } from 'chai';
import { hookedMastra } from '../../../lib/adapters/mastra/index.ts';
import { createPipeline, verdict } from '../../../lib/index.ts';
import { rejection } from '../../tools/rejection.ts';
import { type Any, answering, call, scene, tool } from './scene.ts';

const mild = { chunks: ['It is ', 'mild.'] };
const looks = { chunks: ['Looking.'], calls: [call('c1', 'look', { at: 'x' })] };

describe('a bypass of the hooks in Mastra', () => {
  const refusal = async (work: () => Promise<unknown>): Promise<string> =>
    (await rejection(Promise.resolve().then(work))).message;

  it('is rejected at construction', async () => {
    const make = (model: unknown, tools: object = {}, options: object = { agent: 'guest' }) =>
      refusal(async () => hookedMastra({ model, tools } as never, createPipeline([]), options as never));
    expect(await make('openai/gpt-5')).to.include('must be an object');
    expect(await make(() => {})).to.include('must be an object');
    const { model } = scene({ turns: [] });
    expect(await make(model, { look: 'x' })).to.include('tools.look');
    expect(await make(model, [{ id: 'look' }])).to.include('tools must be an object');
    expect(await make(model, null as never)).to.include('tools must be an object');
    expect(await make(model, {}, { agent: 'guest', sesionId: 'x' })).to.include('sessionId');
  });

  it('is rejected when the agent is called', async () => {
    const { agent, plain } = scene({ turns: [mild, mild, mild], tools: { look: () => 'seen' } });
    expect(await refusal(() => plain.generate('Go!'))).to.include('pass the agent to hookedAgent');
    expect(await refusal(() => agent.generate('Go!', { toolsets: {} }))).to.include('toolsets');
    expect(await refusal(() => agent.generate('Go!', { model: {} }))).to.include('cannot contain "model"');
    expect(await refusal(() => agent.stream('Go!', { prepareStep: () => ({}) }))).to.include('prepareStep');
    expect(await refusal(() => agent.generateLegacy('Go!'))).to.include('generateLegacy');
    expect(await refusal(() => agent.generate('Go!', { hookline: { agent: 'x' } }))).to.include('hookline');
  });

  it('is rejected in an unknown option, by name, but plain data passes', async () => {
    const unknown = { onNew: () => {}, judge: scene({ turns: [] }).model, nested: { tools: [{ execute() {} }] } };
    for (const [name, value] of Object.entries(unknown))
      for (const config of [{}, { defaultOptions: { [name]: value } }]) {
        const { agent, model } = scene({ turns: [mild], config });
        const given = 'defaultOptions' in config ? {} : { [name]: value };
        expect(await refusal(() => agent.generate('Go!', given))).to.include(`cannot contain "${name}"`);
        expect(await refusal(() => agent.stream('Go!', given))).to.include(`cannot contain "${name}"`);
        expect(model.prompts).to.have.length(0);
      }
    const { agent } = scene({ turns: [mild] });
    expect((await agent.generate('Go!', { effort: { level: 3 } })).text).to.equal('It is mild.');
  });

  it('is rejected in the default options of the agent too', async () => {
    for (const name of ['toolsets', 'model', 'prepareStep'])
      for (const defaultOptions of [{ [name]: {} }, () => ({ [name]: {} })]) {
        const { agent, model } = scene({ turns: [mild], config: { defaultOptions } });
        expect(await refusal(() => agent.generate('Go!'))).to.include(name);
        expect(await refusal(() => agent.stream('Go!', { [name]: undefined }))).to.include(name);
        expect(model.prompts).to.have.length(0);
      }
  });

  it('is rejected if a client tool has the name of a hooked one', async () => {
    const clientTools = { look: { id: 'look', description: 'Looks.', inputSchema: { type: 'object' } } };
    const of = (config: object) => scene({ turns: [mild], tools: { look: () => 'seen' }, config }).agent;
    expect(await refusal(() => of({}).generate('Go!', { clientTools }))).to.include('client tool "look"');
    expect(await refusal(() => of({ defaultOptions: { clientTools } }).generate('Go!'))).to.include(
      'client tool "look"',
    );
  });

  it('is rejected if Mastra adds its own tool, unless it is listed', async () => {
    const helper = scene({ turns: [mild] });
    const of = (unhooked: readonly string[]) =>
      scene({
        turns: [{ calls: [call('c1', 'agent-helper', { prompt: 'Go!' })] }, mild],
        options: { unhooked },
        config: { agents: { helper: helper.agent } },
      });
    expect(await refusal(() => of([]).agent.generate('Go!')))
      .to.include('"agent-helper"')
      .and.to.include('unhooked');
    const named = of(['agent-helper']);
    await named.agent.generate('Go!');
    expect(helper.recorded.of('postCall')).to.have.length(1);
  });

  it('is rejected if the agent has a tool without hooks', async () => {
    const bare = { look: tool('look', () => 'seen', [], {}) };
    for (const tools of [bare, () => bare, { ...bare, peek: bare.look }]) {
      const { agent, model } = scene({ turns: [looks, mild], tools: { look: () => 'seen' }, config: { tools } });
      expect(await refusal(() => agent.generate('Go!'))).to.include('the tool "look" of the agent is not the one');
      expect(await refusal(() => agent.stream('Go!'))).to.include('the tool "look"');
      expect(model.prompts).to.have.length(0);
    }
  });

  it('is rejected for an additional tool, also if Mastra maps it to a hooked one', async () => {
    const ran: string[] = [];
    const tools = { 'look!': tool('look!', () => 'raw', ran, {}) };
    const turns = [{ calls: [call('c1', 'look_')] }, mild];
    const { agent, model } = scene({ turns, tools: { look_: () => 'seen' }, config: { tools } });
    expect(await refusal(() => agent.generate('Go!'))).to.include('the tool "look!" of the agent did not come');
    expect([model.prompts, ran]).to.deep.equal([[], []]);
  });

  it('is rejected if a Mastra hook answers for a tool', async () => {
    const answer = { proceed: false, output: 'sk-secret' };
    class Answers {
      beforeToolCall(): object {
        return answer;
      }
    }
    const ways = [{ beforeToolCall: () => answer }, new Answers()].flatMap((hooks) => [
      { config: { hooks }, given: {} },
      { config: { defaultOptions: { hooks } }, given: {} },
      { config: {}, given: { hooks } },
      { config: { hooks }, given: { hooks: { beforeToolCall: undefined } } },
    ]);
    for (const { config, given } of ways) {
      const { agent, model } = scene({ turns: [looks, mild], tools: { look: () => 'seen' }, config });
      await agent.generate('Go!', given);
      expect(JSON.stringify(model.prompts[1])).to.include('instead of the tool').and.not.include('sk-secret');
    }
  });

  it('does not include Mastra hooks that only observe', async () => {
    const heard: string[] = [];
    const hooks = { beforeToolCall: ({ toolName }: Any) => void heard.push(toolName) };
    const { agent, ran } = scene({ turns: [looks, mild], tools: { look: () => 'seen' }, config: { hooks } });
    await agent.generate('Go!', { hooks: { afterToolCall: ({ output }: Any) => void heard.push(output) } });
    expect([heard, ran.length]).to.deep.equal([['look', 'seen'], 1]);
  });

  it('does not include observing hooks that use `this`, also of a class', async () => {
    class Listens {
      readonly heard: string[] = [];
      beforeToolCall({ toolName }: Any): void {
        this.heard.push(toolName);
      }
      afterToolCall({ output }: Any): void {
        this.heard.push(output);
      }
    }
    const { beforeToolCall, afterToolCall } = Listens.prototype;
    const made = (): Listens[] => [new Listens(), { heard: [], beforeToolCall, afterToolCall }];
    const ways = [true, false].flatMap((isConfigured) => made().map((hooks) => ({ isConfigured, hooks })));
    for (const { isConfigured, hooks } of ways) {
      const config = isConfigured ? { hooks } : {};
      const { agent, ran } = scene({ turns: [looks, mild], tools: { look: () => 'seen' }, config });
      await agent.generate('Go!', isConfigured ? {} : { hooks });
      expect([hooks.heard, ran.length]).to.deep.equal([['look', 'seen'], 1]);
    }
  });

  it('does not include a tool that only its provider can run', async () => {
    const search = { type: 'provider-defined', id: 'openai.web_search', name: 'web_search', args: {} };
    const of = (further: object) => {
      const tools = { web_search: { ...search, ...further } };
      return scene({ turns: [mild], config: { tools } }).agent;
    };
    expect((await of({}).generate('Go!')).text).to.equal('It is mild.');
    expect(await refusal(() => of({ execute: () => 'raw' }).generate('Go!'))).to.include('"web_search" of the agent');
  });

  it('is rejected if another model creates the object', async () => {
    const schema = { type: 'object', properties: {} };
    const structuredOutput = { schema, model: scene({ turns: [mild] }).model };
    const of = (config: object) => scene({ turns: [mild], config }).agent;
    expect(await refusal(() => of({}).generate('Go!', { structuredOutput }))).to.include('structuredOutput.model');
    expect(await refusal(() => of({ defaultOptions: { structuredOutput } }).generate('Go!'))).to.include(
      'structuredOutput.model',
    );
  });
});

describe('Mastra input processors', () => {
  const ran: string[] = [];
  const raw = tool('look', () => 'raw', ran, {});
  const other = scene({ turns: [mild, mild, mild] }).model;
  /** Each way to pass processors. */
  const ways = (processors: readonly object[]) => [
    { config: { inputProcessors: processors }, given: {} },
    { config: { inputProcessors: () => processors }, given: {} },
    { config: { defaultOptions: { inputProcessors: processors } }, given: {} },
    { config: {}, given: { inputProcessors: processors } },
  ];
  const of = (config: object) => scene({ turns: [looks, mild], tools: { look: () => 'seen' }, config });
  const throwing = async (processors: readonly object[]): Promise<readonly string[]> => {
    const told: string[] = [];
    for (const { config, given } of ways(processors)) {
      const { agent, model } = of(config);
      told.push((await rejection(agent.generate('Go!', given))).message);
      expect([ran, model.prompts, other.prompts]).to.deep.equal([[], [], []]);
    }
    return told;
  };

  it('cannot give a step another tool under a hooked name', async () => {
    const writes = ({ tools }: Any) => {
      tools.look = raw;
    };
    const reaches = ({ tools }: Any) => {
      tools.look.execute = raw.execute;
    };
    for (const processInputStep of [() => ({ tools: { look: raw } }), writes, reaches])
      for (const told of await throwing([{ id: 'swap', processInputStep }]))
        expect(told).to.include('the input processor "swap" replaces the tool "look"');
  });

  it('cannot give a step another model', async () => {
    for (const told of await throwing([{ id: 'swap', processInputStep: () => ({ model: other }) }]))
      expect(told).to.include('"swap" replaces the model of a step');
  });

  it('cannot answer for the model', async () => {
    const response = { chunks: [{ type: 'text-delta', payload: { id: 't', text: 'sk-secret' } }] };
    for (const told of await throwing([{ id: 'cache', processLLMRequest: () => ({ response }) }]))
      expect(told).to.include('"cache" responds instead of the model');
  });

  it('cannot be workflows', async () => {
    const steps = { id: 'steps', inputSchema: {}, outputSchema: {}, execute: () => ({}) };
    for (const told of await throwing([steps])) expect(told).to.include('the workflow "steps"');
  });

  it('cannot give a resumed call another tool', async () => {
    const asks = { name: 'asks', approve: () => verdict.suspend('Look there?') };
    const loads = { id: 'loads', getLoadedToolsForRequestContext: () => ({ look: raw }) };
    const { agent } = scene({ turns: [looks, mild], tools: { look: () => 'seen' }, hooks: [asks] });
    const asked = answering(await agent.generate('Go!'));
    const told = await rejection(agent.approveToolCallGenerate({ ...asked, inputProcessors: [loads] }));
    expect(told.message).to.include('"loads" replaces the tool "look"');
    expect(ran).to.deep.equal([]);
  });

  it('may do anything else', async () => {
    class Counts {
      readonly id = 'counts';
      #steps = 0;
      steps(): number {
        return this.#steps;
      }
      processInputStep({ tools }: Any): object {
        this.#steps++;
        return { tools: { ...tools, look: { ...tools.look, description: 'Looks well.' } } };
      }
      processLLMRequest({ prompt }: Any): object {
        return { prompt: [...prompt, { role: 'user', content: [{ type: 'text', text: 'Well?' }] }] };
      }
    }
    for (const way of [0, 1, 2, 3]) {
      const counts = new Counts();
      const { config, given } = ways([counts])[way] as Any;
      const { agent, model, ran, recorded } = of(config);
      expect((await agent.generate('Go!', given)).text).to.equal('Looking.It is mild.');
      expect([counts.steps(), ran]).to.deep.equal([2, ['look {"at":"x"}']]);
      expect(recorded.of('preActing')).to.have.length(1);
      for (const prompt of model.prompts) expect(JSON.stringify(prompt)).to.include('Well?');
    }
  });
});

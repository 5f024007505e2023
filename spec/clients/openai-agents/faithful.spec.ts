import { Runner, type Tool } from '@openai/agents-core';
import { expect } from 'chai';
import { defineTool, modify, userMessage } from '../../../lib/index.ts';
import { call, type Result, scene } from './scene.ts';
import { scriptedAgentsModel } from './scripted-agents-model.ts';

const watch = { name: 'watch', observe: () => {} };
const thought = { type: 'reasoning', id: 'r1', content: [], providerData: { encrypted_content: 'abc' } };
const search = { type: 'hosted_tool_call', id: 's1', name: 'web_search_call', status: 'completed', output: 'found' };
const turns = [{ items: [thought, search], chunks: ['Well.'], calls: [call('c1', 'look')] }, { chunks: ['Done.'] }];
const history = [
  {
    role: 'user',
    content: [
      { type: 'input_image', image: { id: 'file-1' } },
      { type: 'input_text', text: 'See?' },
    ],
  },
  { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'Yes.' }] },
  { role: 'user', content: 'Go!' },
];

describe('OpenAI Agents with hooks that change nothing', () => {
  it('has the same requests and answers as without hooks', async () => {
    const asked = async (hooked: boolean): Promise<unknown> => {
      const { run, agent, tool, model, runner } = scene(turns, [watch]);
      const one = agent('one', { instructions: 'Be kind.', tools: [tool('look')] });
      const result: Result = await (hooked ? run(one, history) : runner.run(one, history as never));
      const requests = model.requests.map(({ signal: _, _internal: __, tracing: ___, ...rest }: Result) => rest);
      return JSON.parse(JSON.stringify([requests, result.history, result.newItems, result.rawResponses]));
    };
    expect(await asked(true)).to.deep.equal(await asked(false));
  });

  it('keeps the same request items next to changed ones', async () => {
    const loud = {
      name: 'loud',
      on: {
        preReasoning: (event: { messages: readonly never[] }) =>
          modify(event as never, { messages: [...event.messages, userMessage('Now.')] } as never),
      },
    } as never;
    const { run, agent, tool, model } = scene(turns, [loud]);
    await run(agent('one', { tools: [tool('look')] }), history);
    const { input } = model.requests[1]!;
    expect(input).to.have.length(history.length + 5 + 1);
    expect((input as object[]).slice(0, 3)).to.deep.equal(history);
    expect(input[4]).to.include({ type: 'hosted_tool_call', output: 'found' });
    expect((input as object[]).at(-1)).to.deep.equal({ role: 'user', content: [{ type: 'input_text', text: 'Now.' }] });
  });

  it('keeps a file with only an id if the text next to it changes', async () => {
    const edit = {
      name: 'edit',
      on: {
        preCall: (event: { messages: readonly { role: string; parts: readonly { type: string }[] }[] }) => {
          const [first, ...rest] = event.messages;
          const parts = first!.parts.map((part) => (part.type === 'text' ? { ...part, text: 'Look?' } : part));
          return modify(event as never, { messages: [{ ...first!, parts }, ...rest] } as never);
        },
      },
    } as never;
    const { run, agent, model } = scene([{ chunks: ['Done.'] }], [edit]);
    await run(agent('one'), history);
    expect((model.requests[0]!.input as object[])[0]).to.deep.equal({
      role: 'user',
      content: [
        { type: 'input_image', image: { id: 'file-1' } },
        { type: 'input_text', text: 'Look?' },
      ],
    });
  });

  it('returns tool objects as objects', async () => {
    const { run, agent, tool, recorded } = scene(turns, [watch]);
    const result = await run(agent('one', { tools: [tool('look', () => ({ sum: 3 }))] }), 'Go!');
    const { output } = result.newItems.find(({ type }: { type: string }) => type === 'tool_call_output_item');
    expect(output).to.deep.equal({ sum: 3 });
    expect(recorded.of('postActing')[0]!.result.content).to.equal('{"sum":3}');
  });

  it('keeps listeners of a runner and its agents, and models found by name', async () => {
    const model = scriptedAgentsModel([{ chunks: ['Done.'] }]);
    const names: unknown[] = [];
    const provider = {
      getModel: (name?: string) => {
        names.push(name);
        return model;
      },
    };
    const runner = new Runner({ modelProvider: provider, model: 'small' });
    const { run, agent, recorded } = scene([], [watch], {}, runner);
    const one = agent('one', { model: undefined });
    const heard: string[] = [];
    runner.on('agent_start', () => heard.push('runner'));
    one.on('agent_start', () => heard.push('agent'));
    const result = await run(one, 'Go!');
    expect([result.finalOutput, names]).to.deep.equal(['Done.', ['small']]);
    expect(heard.sort()).to.deep.equal(['agent', 'runner']);
    expect(recorded.of('postReasoning')).to.have.length(1);
    expect(recorded.of('postCall')[0]!.usage).to.deep.equal({ inputTokens: 3, outputTokens: 2 });
  });

  it('accepts the last agent of a run for the next', async () => {
    const { run, agent, recorded } = scene([{ chunks: ['One.'] }, { chunks: ['Two.'] }], [watch]);
    const first = await run(agent('one'), 'Go!');
    const second = await run(first.lastAgent, [...first.history, { role: 'user', content: 'On!' }]);
    expect(second.finalOutput).to.equal('Two.');
    expect(recorded.of('postReasoning')).to.have.length(2);
  });

  it('offers the tools of hooks', async () => {
    const clock = defineTool({
      name: 'clock',
      description: 'Tells the time.',
      inputSchema: { type: 'object', properties: {} },
      execute: () => 'noon',
    });
    const { run, agent, model, recorded } = scene(
      [{ calls: [call('c1', 'clock')] }, { chunks: ['Noon.'] }],
      [{ name: 'time', tools: [clock] }],
    );
    await run(agent('one'), 'Go!');
    expect(model.requests[0]!.tools.map(({ name }) => name)).to.deep.equal(['clock']);
    expect(JSON.stringify(model.requests[1]!.input)).to.include('noon');
    expect(recorded.of('postActing').map(({ outcome }) => outcome)).to.deep.equal(['executed']);
  });

  it('traces without model text, or not at all', async () => {
    const { run, agent, model } = scene([{ chunks: ['Done.'] }], [watch]);
    await run(agent('one'), 'Go!');
    expect(model.requests[0]!.tracing).to.equal('enabled_without_data');
    const untraced = scene([{ chunks: ['Done.'] }], [watch], {}, new Runner({ tracingDisabled: true }));
    await untraced.run(untraced.agent('one'), 'Go!');
    expect(untraced.model.requests[0]!.tracing).to.equal(false);
  });

  it('omits tools that a model may not call from a request', async () => {
    const fewer = {
      name: 'fewer',
      on: {
        preReasoning: (event: { tools: readonly { name: string }[] }) =>
          modify(event as never, { tools: event.tools.filter(({ name }) => name === 'look') } as never),
      },
    } as never;
    const { run, agent, tool, model } = scene([{ chunks: ['Done.'] }], [fewer]);
    const tools: Tool[] = [tool('look'), tool('peek')];
    await run(agent('one', { tools, handoffs: [agent('two')] }), 'Go!');
    const [{ tools: given, handoffs }] = model.requests as [Result];
    expect([given.map(({ name }: Tool) => name), handoffs]).to.deep.equal([['look'], []]);
  });

  it('keeps provider tool items and reasoning next to an edited part', async () => {
    const edits = {
      name: 'edits',
      on: {
        preReasoning: (event: { messages: readonly { parts: readonly { text?: string }[] }[] }) =>
          modify(
            event as never,
            {
              messages: event.messages.map((message) => ({
                ...message,
                parts: message.parts.map((part) => (part.text === 'Well.' ? { ...part, text: 'Hm.' } : { ...part })),
              })),
            } as never,
          ),
      },
    } as never;
    const { run, agent, tool, model } = scene(turns, [edits]);
    await run(agent('one', { tools: [tool('look')] }), 'Go!');
    const [, ...said] = model.requests[1]!.input as Result[];
    expect(said.map(({ type }) => type)).to.deep.equal([
      ...['reasoning', 'hosted_tool_call', 'message', 'function_call', 'function_call_result'],
    ]);
    expect(said.slice(0, 2)).to.deep.equal([thought, search]);
    expect(said[2].content[0].text).to.equal('Hm.');
  });
});

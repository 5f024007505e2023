import { LangChainTracer } from '@langchain/core/tracers/tracer_langchain';
import {
  Command,
  END,
  interrupt,
  MessagesAnnotation,
  pushMessage,
  START,
  StateGraph,
  task,
} from '@langchain/langgraph';
import { expect } from 'chai';
import * as langchain from 'langchain';
import type { HostLangChain } from '../../../lib/adapters/langchain/host-langchain.ts';
import { inside } from '../../../lib/adapters/langchain/inside-tool.ts';
import { type HookDefinition, modify } from '../../../lib/index.ts';
import { listener } from './langchain-host.ts';
import { type Agent, go, looksAt, mild, type Result, scene, thread } from './scene.ts';
import { ScriptedChatModel } from './scripted-chat-model.ts';

const secret = ['sword', 'fish'].join('');
const says = `It says ${secret}.`;
const clean = (text: string): string => text.replaceAll(secret, 'gone');

const redacts: HookDefinition = {
  name: 'redacts',
  on: {
    actingChunk: (event) => modify(event, { content: clean(event.content) }),
    postActing: (event) => modify(event, { result: { ...event.result, content: clean(event.result.content) } }),
  },
};

type Config = object | undefined;
type Work = (config: Config) => unknown;

const named = { name: 'look', description: 'Has a look.', schema: { type: 'object', properties: {} } as never };
const model = () => new ScriptedChatModel([{ chunks: ['It says ', `${secret}.`] }]);
const subAgent = () => langchain.createAgent({ name: 'sub', model: model() as never }) as unknown as Agent;
const graph = new StateGraph(MessagesAnnotation)
  .addNode('node', async (_, { writer }) => {
    writer?.({ note: secret });
    return { messages: [new langchain.AIMessage(says)] };
  })
  .addEdge(START, 'node')
  .addEdge('node', END)
  .compile();
const leaves = new StateGraph(MessagesAnnotation)
  .addNode('node', () => {
    const told = new langchain.ToolMessage({ content: says, tool_call_id: 'c1' });
    return new Command({ graph: Command.PARENT, update: { messages: [told] } });
  })
  .addEdge(START, 'node')
  .compile();
const saying = task('saying', async () => says);

const kinds: Readonly<Record<string, Work>> = {
  'a model': async (config) => (await model().invoke('Go!', config as never)).text,
  'an agent': async (config) => (await subAgent().invoke(go, config)).messages.at(-1)?.content,
  'a graph': async (config) => (await graph.invoke({ messages: [] }, config)).messages.at(-1)?.text,
  'a graph that returns to its parent': (config) => leaves.invoke({ messages: [] }, config),
  'a task': () => saying(),
  'its own message': (config) => {
    pushMessage(new langchain.AIMessage({ id: 'own', content: says }), config as never);
    return 'pushed';
  },
};

const tool = (work: Work, passes: boolean) =>
  langchain.tool((async (_: object, config: object) => await work(passes ? config : undefined)) as never, named);

/** All output of a run in each kind of stream, and the events of its handlers. */
async function shown(given: { readonly tools?: readonly object[]; readonly hooks?: readonly HookDefinition[] }) {
  const { tools = [], hooks = [] } = given;
  const made = () => scene({ hooks: [redacts, ...hooks], turns: [looksAt('x'), mild], tools }).agent;
  const streamMode = ['messages', 'tools', 'custom', 'updates', 'values', 'tasks', 'checkpoints', 'debug'];
  const heard: unknown[] = [];
  const config = { ...thread, callbacks: [listener(heard)] };
  let all = '';
  for (const stream of [
    () => made().stream(go, { ...config, streamMode, subgraphs: true }),
    () => made().streamEvents(go, { ...config, version: 'v2' }),
    () => made().streamEvents(go, { ...config, version: 'v3' }),
  ])
    for await (const part of await stream()) all += `${JSON.stringify(part)}\n`;
  return all + JSON.stringify(heard);
}

describe('activity inside a LangChain tool', () => {
  for (const [what, work] of Object.entries(kinds))
    for (const passes of [true, false])
      it(`is hidden from streams and handlers: ${what}, ${passes ? 'with' : 'without'} its config`, async () => {
        const all = await shown({ tools: [tool(work, passes)] });
        expect(all).to.include('It is ').and.include('"c1"');
        expect(all).not.to.include(secret);
      });

  it('is hidden from streams if the tool also reports progress', async () => {
    const inner = () => langchain.tool(async () => (await model().invoke('Go!')).text, { ...named, name: 'inner' });
    async function* work(_: object, config: object): AsyncGenerator<string, string> {
      yield (await model().invoke('Go!', config)).text;
      yield (await graph.invoke({ messages: [] })).messages.at(-1)?.text ?? '';
      return String(await inner().invoke({}));
    }
    const all = await shown({ tools: [langchain.tool(work, named)] });
    expect(all).to.include('It says gone.');
    expect(all).not.to.include(secret);
  });

  it('is hidden from streams for a tool of a hook', async () => {
    const execute = async () => (await subAgent().invoke(go)).messages.at(-1)?.content ?? '';
    const brought = { ...named, inputSchema: { type: 'object' }, permission: 'read', execute } as const;
    const all = await shown({ hooks: [{ name: 'brings', tools: [brought] }] });
    expect(all).to.include('It says gone.');
    expect(all).not.to.include(secret);
  });

  it('is not traced', async () => {
    let traced = '';
    const keep = async (...told: readonly unknown[]): Promise<void> => {
      traced += JSON.stringify(told, (key, value) => (key === 'extra' ? undefined : value));
    };
    const client = { createRun: keep, updateRun: keep };
    for (const work of [kinds['a model'], kinds['an agent'], kinds['a graph']] as Work[])
      for (const passes of [true, false]) {
        const { agent } = scene({ hooks: [redacts], turns: [looksAt('x'), mild], tools: [tool(work, passes)] });
        await agent.invoke(go, { ...thread, callbacks: [new LangChainTracer({ client: client as never })] });
      }
    expect(traced).to.include('It says gone.');
    expect(traced).not.to.include(secret);
  });

  it('may interrupt on the stream and continues with the answer', async () => {
    const asks = new StateGraph(MessagesAnnotation)
      .addNode('node', () => ({ messages: [new langchain.AIMessage(`told ${interrupt('Which?')}`)] }))
      .addEdge(START, 'node')
      .compile();
    const inner = langchain.tool(() => `told ${interrupt('Which?')}` as never, { ...named, name: 'inner' });
    const turns = [{ calls: [{ id: 's1', name: 'inner', input: {} }] }, { chunks: ['told that one'] }];
    for (const passes of [true, false])
      for (const sub of [
        asks as unknown as Agent,
        langchain.createAgent({ model: new ScriptedChatModel(turns) as never, tools: [inner] }) as unknown as Agent,
      ]) {
        const work: Work = async (config) => (await sub.invoke(go, config)).messages.at(-1)?.content;
        const { agent, recorded } = scene({ turns: [looksAt('x'), mild], tools: [tool(work, passes)] });
        let asked: Result['__interrupt__'];
        const stream = await agent.stream(go, { ...thread, streamMode: 'updates', subgraphs: true });
        for await (const part of stream) asked ??= (part as [unknown, Result])[1].__interrupt__;
        expect(asked?.[0]?.value).to.equal('Which?');
        const { messages } = await agent.invoke(new Command({ resume: 'that one' }), thread);
        expect(messages[2]?.content).to.equal('told that one');
        expect(recorded.of('postCall').map(({ outcome }) => outcome)).to.deep.equal(['suspended', 'completed']);
      }
  });

  it('does not start if its signal is aborted', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    const going = inside(langchain as unknown as HostLangChain, { signal } as never, async () => 'done');
    expect(await going.catch((thrown: Error) => thrown.message)).to.equal('enough');
  });
});

import { RunnableLambda } from '@langchain/core/runnables';
import { expect } from 'chai';
import * as langchain from 'langchain';
import { type HookDefinition, modify } from '../../../lib/index.ts';
import { listener, modes } from './langchain-host.ts';
import { go, looksAt, lookTool, type Scene, scene, thread } from './scene.ts';

const secret = ['sword', 'fish'].join('');
const clean = (text: string): string => text.replaceAll(secret, 'gone');

/** Removes the secret from text, results and progress. */
const redacts: HookDefinition = {
  name: 'redacts',
  on: {
    reasoningChunk: (event) => modify(event, { delta: clean(event.delta) }),
    actingChunk: (event) => modify(event, { content: clean(event.content) }),
    postActing: (event) => modify(event, { result: { ...event.result, content: clean(event.result.content) } }),
  },
};

/** All data of a run in streams, handlers and checkpoints, whole and streamed. */
async function seen(given: Omit<Scene, 'turns' | 'hooks'>): Promise<string> {
  const turns = [looksAt('x'), { chunks: ['It is ', `${secret}.`] }];
  let all = '';
  for (const streamed of [false, true]) {
    const heard: unknown[] = [];
    const own = { callbacks: [listener(heard)] };
    const { agent } = scene({ ...given, hooks: [redacts], turns, model: own });
    const config = { ...thread, ...own };
    if (streamed)
      for await (const part of await agent.stream(go, { ...config, streamMode: [...modes] }))
        all += JSON.stringify(part);
    else all += JSON.stringify(await agent.invoke(go, config));
    all += JSON.stringify([heard, (await agent.graph.getState(thread)).values]);
  }
  return all;
}

describe('text that a hook removes from a LangChain run', () => {
  it('reaches no stream, no handler of the run or the model, and no checkpoint', async () => {
    const all = await seen({ tools: [lookTool('look', [], () => `It says ${secret}.`)] });
    expect(all).to.include('It says gone.').and.include('It is gone.');
    expect(all).not.to.include(secret);
  });

  it('is not in the artifact of the result', async () => {
    const pairs = { responseFormat: 'content_and_artifact' };
    const all = await seen({ tools: [lookTool('look', [], () => [`It says ${secret}.`, { raw: secret }], pairs)] });
    expect(all).to.include('It says gone.');
    expect(all).not.to.include(secret);
  });

  it('is not in runnables inside a tool, also of a custom class', async () => {
    const inner = RunnableLambda.from(() => `It says ${secret}.`);
    class Look extends langchain.StructuredTool {
      name = 'look';
      description = 'Has a look.';
      schema = { type: 'object', properties: {} } as never;
      _call(): Promise<string> {
        return inner.invoke('');
      }
    }
    const all = await seen({ tools: [new Look()] });
    expect(all).to.include('It says gone.');
    expect(all).not.to.include(secret);
  });

  it('is removed from a message or command that a tool creates', async () => {
    const content = `It says ${secret}.`;
    const message = () => new langchain.ToolMessage({ content, tool_call_id: 'c1', name: 'look' });
    const { Command } = await import('@langchain/langgraph');
    for (const made of [
      message,
      () => new Command({ update: { messages: [message(), new langchain.HumanMessage(secret)] } }),
    ]) {
      const all = await seen({ tools: [lookTool('look', [], made)] });
      expect(all).to.include('It says gone.');
      expect(all).not.to.include(secret);
    }
  });

  it('is removed from the events of streamEvents version 3', async () => {
    const turns = [looksAt('x'), { chunks: ['It is ', `${secret}.`] }];
    const { agent, recorded } = scene({ hooks: [redacts], turns, tools: [lookTool('look', [], () => secret)] });
    const run = await agent.streamEvents(go, { ...thread, version: 'v3' });
    let all = '';
    for await (const event of run) all += JSON.stringify(event);
    expect(all).to.include('gone');
    expect(all).not.to.include(secret);
    expect(recorded.of('postCall').map(({ outcome }) => outcome)).to.deep.equal(['completed']);
  });
});

describe('a LangChain tool result that hooks leave alone', () => {
  it('is unchanged: objects, artifacts, blocks, messages and commands', async () => {
    const blocks = [{ type: 'text', text: 'seen' }];
    const message = new langchain.ToolMessage({ content: 'seen', tool_call_id: 'c1', artifact: { raw: 1 } });
    for (const [gives, more, content, artifact] of [
      [{ sum: 3 }, {}, '{"sum":3}', undefined],
      [['seen', { raw: 1 }], { responseFormat: 'content_and_artifact' }, 'seen', { raw: 1 }],
      [blocks, {}, blocks, undefined],
      [message, {}, 'seen', { raw: 1 }],
    ] as const) {
      const { agent } = scene({
        turns: [looksAt('x'), { chunks: ['ok'] }],
        tools: [lookTool('look', [], () => gives, more)],
      });
      const told = (await agent.invoke(go, thread)).messages.at(-2);
      expect([told?.content, told?.artifact]).to.deep.equal([content, artifact]);
    }
  });
});

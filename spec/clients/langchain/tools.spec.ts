import { Command, interrupt } from '@langchain/langgraph';
import { expect } from 'chai';
import type { ToolRuntime } from 'langchain';
import * as langchain from 'langchain';
import { z } from 'zod';
import { z as z3 } from 'zod/v3';
import { type HookDefinition, modify } from '../../../lib/index.ts';
import { go, mild, scene, thread } from './scene.ts';

const moves: HookDefinition = {
  name: 'moves',
  on: { preActing: (event) => modify(event, { toolCall: { ...event.toolCall, input: { at: 'y' } } }) },
};

class Look extends langchain.StructuredTool {
  name = 'look';
  description = 'Has a look.';
  schema = z.object({ at: z.string() });
  async _call({ at }: { at: string }): Promise<string> {
    return `seen ${at}`;
  }
}

const seen = ({ at }: { at: string }): string => `seen ${at}`;
const named = { name: 'look', description: 'Has a look.' };
const kinds = {
  'a schema of zod 4': langchain.tool(seen, { ...named, schema: z.object({ at: z.string() }) }),
  'a schema of zod 3': langchain.tool(seen, { ...named, schema: z3.object({ at: z3.string() }) as never }),
  'a JSON Schema': langchain.tool(seen as never, {
    ...named,
    schema: { type: 'object', properties: { at: { type: 'string' } }, required: ['at'] } as never,
  }),
  'its own class': new Look(),
};

describe('a LangChain tool', () => {
  for (const [what, tool] of Object.entries(kinds)) {
    it(`with ${what} runs the call as changed by hooks, and is described to them`, async () => {
      const turn = { calls: [{ id: 'c1', name: 'look', input: { at: 'x' } }] };
      const { agent, recorded } = scene({ hooks: [moves], turns: [turn, mild], tools: [tool] });
      expect((await agent.invoke(go, thread)).messages[2]?.content).to.equal('seen y');
      const told = recorded.of('preReasoning')[0]?.tools[0];
      expect([told?.name, told?.inputSchema['required']]).to.deep.equal(['look', ['at']]);
    });
  }

  it('with one text argument receives the text', async () => {
    const tool = langchain.tool((text: string) => `heard ${text}`, { name: 'hear', description: 'Hears.' });
    const turn = { calls: [{ id: 'c1', name: 'hear', input: { input: 'a bell' } }] };
    const { agent } = scene({ turns: [turn, mild], tools: [tool] });
    expect((await agent.invoke(go, thread)).messages[2]?.content).to.equal('heard a bell');
  });

  it('receives the parsed input of its schema, once', async () => {
    const schema = z.object({ at: z.string().transform((text) => `${text}!`) });
    const tool = langchain.tool(seen, { ...named, schema });
    const turn = { calls: [{ id: 'c1', name: 'look', input: { at: 'x' } }] };
    const { agent } = scene({ turns: [turn, mild], tools: [tool] });
    expect((await agent.invoke(go, thread)).messages[2]?.content).to.equal('seen x!');
  });

  it('receives the state, call and context of the run as without hooks', async () => {
    const got: unknown[] = [];
    const tool = langchain.tool(
      (_, runtime: ToolRuntime) => {
        got.push(runtime.toolCallId, (runtime.state as { messages: unknown[] }).messages.length, runtime.context);
        return 'seen';
      },
      { ...named, schema: z.object({}) },
    );
    const turn = { calls: [{ id: 'c1', name: 'look', input: {} }] };
    const agent = { contextSchema: z.object({ who: z.string() }) };
    const { agent: hooked } = scene({ turns: [turn, mild], tools: [tool], agent });
    await hooked.invoke(go, { ...thread, context: { who: 'ann' } });
    expect(got).to.deep.equal(['c1', 2, { who: 'ann' }]);
  });

  it('may interrupt the graph and continues with the answer', async () => {
    const tool = langchain.tool(() => `told ${interrupt('Which?')}`, { ...named, schema: z.object({}) });
    const turn = { calls: [{ id: 'c1', name: 'look', input: {} }] };
    for (const streamed of [false, true]) {
      const { agent, recorded } = scene({ turns: [turn, mild], tools: [tool] });
      if (streamed) for await (const _ of await agent.stream(go, thread));
      else expect((await agent.invoke(go, thread)).__interrupt__?.[0]?.value).to.equal('Which?');
      const { messages } = await agent.invoke(new Command({ resume: 'that one' }), thread);
      expect(messages[2]?.content).to.equal('told that one');
      expect(recorded.of('postCall').map(({ outcome }) => outcome)).to.deep.equal(['suspended', 'completed']);
    }
  });
});

describe('a command from a LangChain tool', () => {
  const said = () => new langchain.ToolMessage({ content: 'seen', tool_call_id: 'c1', name: 'look' });
  const stateSchema = z.object({ place: z.string().optional() });
  const counts = langchain.createMiddleware({ name: 'counts', stateSchema });
  const turn = { calls: [{ id: 'c1', name: 'look', input: {} }] };
  const giving = (update: () => unknown, hooks: readonly HookDefinition[] = []) => {
    const tool = langchain.tool(() => new Command({ update: update() as never }) as never, {
      ...named,
      schema: z.object({}),
    });
    return scene({ hooks, turns: [turn, mild], tools: [tool], before: [counts] });
  };
  type State = { readonly place?: string };
  const forms = {
    'a list of messages': () => ({ place: 'x', messages: [said()] }),
    'one message': () => ({ place: 'x', messages: said() }),
    entries: () => [
      ['place', 'x'],
      ['messages', [said()]],
    ],
  };

  for (const [what, update] of Object.entries(forms))
    it(`with ${what} stays a command and shows hooks its message`, async () => {
      const { agent, recorded } = giving(update);
      const told = await agent.invoke(go, thread);
      expect([told.messages[2]?.content, (told as State).place]).to.deep.equal(['seen', 'x']);
      expect(recorded.of('postActing').map(({ result }) => result.content)).to.deep.equal(['seen']);
    });

  it('without a message stays a command and is shown to hooks whole', async () => {
    const { agent, recorded } = giving(() => ({ place: 'x' }));
    const told = await agent.invoke(go, thread);
    expect([told.messages.length, (told as State).place]).to.deep.equal([3, 'x']);
    expect(recorded.of('postActing')[0]?.result.content).to.include('"update":{"place":"x"}');
  });

  it('is withheld if hooks change text that is not in a message', async () => {
    const hides: HookDefinition = {
      name: 'hides',
      on: { postActing: (event) => modify(event, { result: { ...event.result, content: 'hidden' } }) },
    };
    for (const update of [() => ({ place: 'x' }), () => ({ place: 'x', messages: said() })]) {
      const told = await giving(update, [hides]).agent.invoke(go, thread);
      expect([told.messages[2]?.content, (told as State).place]).to.deep.equal(['hidden', undefined]);
    }
  });
});

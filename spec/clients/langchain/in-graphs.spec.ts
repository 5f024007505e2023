import { Command, END, MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { expect } from 'chai';
import * as langchain from 'langchain';
import { type HookDefinition, verdict } from '../../../lib/index.ts';
import { type Agent, go, looksAt, lookTool, mild, type Result, scene, thread } from './scene.ts';

const asks: HookDefinition = { name: 'asks', approve: () => verdict.suspend('Really?') };

type Ask = (agent: Agent, state: Result, config: object) => Promise<Result>;

const ways: Readonly<Record<string, Ask>> = {
  invoke: (agent, state, config) => agent.invoke(state, config),
  stream: async (agent, state, config) => {
    let last = state;
    for await (const values of await agent.stream(state, { ...config, streamMode: 'values' })) last = values as Result;
    return last;
  },
};

/** A graph with the agent in a separate node. */
function graphOf(agent: Agent, ask: Ask): Agent {
  return new StateGraph(MessagesAnnotation)
    .addNode('support', async (state, config) => {
      const { messages } = await ask(agent, state as never, config);
      return { messages: messages.slice(state.messages.length) as never };
    })
    .addEdge(START, 'support')
    .addEdge('support', END)
    .compile({ checkpointer: new MemorySaver() }) as unknown as Agent;
}

describe('a LangChain agent with hooks in a node of another graph', () => {
  for (const [how, ask] of Object.entries(ways))
    it(`is suspended by an approver and continues (${how})`, async () => {
      const ran: string[] = [];
      const { agent, recorded } = scene({
        hooks: [asks],
        turns: [looksAt('x'), mild],
        tools: [lookTool('look', ran)],
        agent: { checkpointer: true },
      });
      const graph = graphOf(agent, ask);
      const asked = await graph.invoke(go, thread);
      expect(asked.__interrupt__?.map(({ value }) => value.prompt)).to.deep.equal(['Really?']);
      expect(recorded.of('postCall').map(({ outcome }) => outcome)).to.deep.equal(['suspended']);
      expect(recorded.of('error')).to.deep.equal([]);
      const told = await graph.invoke(new Command({ resume: true }) as never, thread);
      expect([ran, told.messages.at(-1)?.content]).to.deep.equal([['look x'], 'It is mild.']);
      expect(recorded.of('postCall').map(({ outcome }) => outcome)).to.deep.equal(['suspended', 'completed']);
    });

  it('ends normally when it jumps to a node of that graph', async () => {
    const leaves = new Command({ graph: Command.PARENT, goto: 'billing', update: { messages: [] } });
    const look = langchain.tool(() => leaves as never, {
      name: 'look',
      description: 'Has a look.',
      schema: { type: 'object', properties: {} } as never,
    });
    const { agent, recorded } = scene({ turns: [looksAt('x')], tools: [look], agent: { checkpointer: undefined } });
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('support', async (state, config) => (await agent.invoke(state as never, config)) as never, {
        ends: ['billing'],
      })
      .addNode('billing', () => ({ messages: [new langchain.AIMessage('Here is billing.')] }))
      .addEdge(START, 'support')
      .compile({ checkpointer: new MemorySaver() });
    const { messages } = await graph.invoke(go, thread);
    expect(messages.at(-1)?.content).to.equal('Here is billing.');
    expect(recorded.of('postCall').map(({ outcome }) => outcome)).to.deep.equal(['completed']);
  });
});

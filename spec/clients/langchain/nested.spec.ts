import { expect } from 'chai';
import * as langchain from 'langchain';
import { hookedAgent, hookline } from '../../../lib/adapters/langchain/index.ts';
import { createPipeline } from '../../../lib/index.ts';
import { recorder } from '../../../lib/testing/index.ts';
import { modules } from './langchain-host.ts';
import { type Agent, go, looksAt, mild, thread } from './scene.ts';
import { ScriptedChatModel } from './scripted-chat-model.ts';

const same = (agent: Agent): Agent => agent;

/** An agent that calls another in its tool, both with the same hooks. */
function nested(outer: typeof same, inner: typeof same, passes: boolean) {
  const recorded = recorder();
  const hooks = hookline(modules, createPipeline([recorded]), { agent: 'guest' });
  const made = (turns: ConstructorParameters<typeof ScriptedChatModel>[0], tools: readonly object[]): Agent =>
    langchain.createAgent({
      model: new ScriptedChatModel(turns) as never,
      tools: tools as never,
      middleware: [hooks],
    }) as unknown as Agent;
  const sub = inner(made([{ chunks: ['seen'] }], []));
  const look = async (_: object, config: object) =>
    (await sub.invoke(go, passes ? config : undefined)).messages.at(-1)?.content;
  const schema = { type: 'object', properties: {} };
  const tool = langchain.tool(look as never, { name: 'look', description: 'Has a look.', schema: schema as never });
  return { agent: outer(made([looksAt('x'), mild], [tool])), recorded };
}

describe('one hookline(..) for two LangChain agents, one in a tool of the other', () => {
  for (const [what, outer, inner] of [
    ['hookedAgent on neither', same, same],
    ['hookedAgent on the outer agent', hookedAgent, same],
    ['hookedAgent on the inner agent', same, hookedAgent],
    ['hookedAgent on both', hookedAgent, hookedAgent],
  ] as const)
    for (const passes of [true, false])
      it(`has a run for each: ${what}, ${passes ? 'with' : 'without'} the config`, async () => {
        const { agent, recorded } = nested(outer, inner, passes);
        const { messages } = await agent.invoke(go, thread);
        expect(messages.slice(2).map(({ content }) => content)).to.deep.equal(['seen', 'It is mild.']);
        const ended = recorded.of('postCall').map(({ run, outcome }) => [run.runId, outcome]);
        const began = recorded.of('preCall').map(({ run }) => run.runId);
        expect(ended).to.deep.equal([
          [began[1], 'completed'],
          [began[0], 'completed'],
        ]);
        expect(new Set(began).size).to.equal(2);
        const asked = recorded.of('postReasoning').map(({ run }) => run.runId);
        expect(asked).to.deep.equal([began[0], began[1], began[0]]);
      });
});

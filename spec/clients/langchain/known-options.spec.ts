import { expect } from 'chai';
import * as langchain from 'langchain';
import { hookedAgent } from '../../../lib/adapters/langchain/index.ts';
import { knownOptions } from '../../../lib/adapters/langchain/known-options.ts';
import { expectKnown } from '../expect-known.ts';
import { fieldsOf } from '../members-of.ts';
import { go, mild, scene, thread } from './scene.ts';

/** Of the method with three signatures, the configuration of the first: that of version 3. */
const THIRD = '{ (s: any, c: infer C): any; (...a: any[]): any; (...a: any[]): any }';
const CONFIGURATIONS = [
  "NonNullable<Parameters<host.ReactAgent['invoke' | 'stream' | 'streamEvents']>[1]>",
  `(host.ReactAgent['streamEvents'] extends ${THIRD} ? C : never)`,
  "Parameters<host.ReactAgent['withConfig']>[0]",
  // What a node of another graph and a tool of another agent are given, and hand on.
  "import('@langchain/langgraph').LangGraphRunnableConfig",
  'host.ToolRuntime',
  // What hooks add to what a tool is given.
  '{ onYield(): void }',
];

const unknown = { onNew: () => {}, judge: scene({ turns: [] }).model, nested: { tools: [{ run() {} }] } };

describe('the options of LangChain that are known', () => {
  it('are all that can be functions, or hold some, and no others', () => {
    const members = fieldsOf('langchain', {
      'an agent': 'host.CreateAgentParams',
      'a middleware': 'host.AgentMiddleware',
      'the configuration of a run': CONFIGURATIONS.join(' | '),
    });
    expectKnown(knownOptions, members);
  });

  for (const [name, value] of Object.entries(unknown)) {
    it(`are the only ones of an agent that hold something live (${name})`, () => {
      expect(() => scene({ turns: [], agent: { [name]: value } })).to.throw(`an agent cannot contain "${name}"`);
    });

    it(`are the only ones of a middleware that hold something live (${name})`, () => {
      const before = [{ ...langchain.createMiddleware({ name: 'theirs' }), [name]: value }];
      expect(() => scene({ turns: [], before })).to.throw(`a middleware cannot contain "${name}"`);
    });

    it(`are the only ones of a run that hold something live (${name})`, async () => {
      const { agent, model } = scene({ turns: [mild] });
      const config = { ...thread, [name]: value };
      const ways = {
        invoke: () => agent.invoke(go, config),
        stream: () => agent.stream(go, config),
        withConfig: async () => agent.withConfig(config),
        streamEvents: async () => agent.streamEvents(go, { ...config, version: 'v2' }),
      };
      for (const [how, ask] of Object.entries(ways)) {
        const failure: Error = await ask().then(
          () => expect.fail(`${how} took it`),
          (thrown: Error) => thrown,
        );
        expect(failure.message).to.include(`the configuration of a run cannot contain "${name}"`);
      }
      expect(model.asked).to.have.length(0);
    });
  }

  it('let plain data of any name pass', async () => {
    const { bare } = scene({ turns: [mild], agent: { effort: { level: 3 } } });
    const { messages } = (await hookedAgent(bare).invoke(go, { ...thread, effort: { level: 3 } })) as {
      readonly messages: readonly { readonly content: string }[];
    };
    expect(messages.at(-1)?.content).to.equal('It is mild.');
  });
});

import { expect } from 'chai';
import * as langchain from 'langchain';
import { hookedAgent } from '../../../lib/adapters/langchain/index.ts';
import { knownOptions } from '../../../lib/adapters/langchain/known-options.ts';
import { expectKnown } from '../expect-known.ts';
import { fieldsOf } from '../members-of.ts';
import { go, mild, scene, thread } from './scene.ts';

/** The configuration in the first of three signatures of the method: that of version 3. */
const THIRD = '{ (s: any, c: infer C): any; (...a: any[]): any; (...a: any[]): any }';
const CONFIGURATIONS = [
  "NonNullable<Parameters<host.ReactAgent['invoke' | 'stream' | 'streamEvents']>[1]>",
  `(host.ReactAgent['streamEvents'] extends ${THIRD} ? C : never)`,
  "Parameters<host.ReactAgent['withConfig']>[0]",
  // The configuration that a node of another graph and a tool of another agent receive and pass on.
  "import('@langchain/langgraph').LangGraphRunnableConfig",
  'host.ToolRuntime',
  // The fields that hooks add to a tool's arguments.
  '{ onYield(): void }',
];

const unknown = { onNew: () => {}, judge: scene({ turns: [] }).model, nested: { tools: [{ run() {} }] } };

describe('the known options of LangChain', () => {
  it('include exactly those that can be or contain functions', () => {
    const members = fieldsOf('langchain', {
      'an agent': 'host.CreateAgentParams',
      'a middleware': 'host.AgentMiddleware',
      'the configuration of a run': CONFIGURATIONS.join(' | '),
    });
    expectKnown(knownOptions, members);
  });

  for (const [name, value] of Object.entries(unknown)) {
    it(`exclude all other agent options with live objects (${name})`, () => {
      expect(() => scene({ turns: [], agent: { [name]: value } })).to.throw(`an agent cannot contain "${name}"`);
    });

    it(`exclude all other middleware options with live objects (${name})`, () => {
      const before = [{ ...langchain.createMiddleware({ name: 'theirs' }), [name]: value }];
      expect(() => scene({ turns: [], before })).to.throw(`a middleware cannot contain "${name}"`);
    });

    it(`exclude all other run options with live objects (${name})`, async () => {
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

  it('do not restrict plain data', async () => {
    const { bare } = scene({ turns: [mild], agent: { effort: { level: 3 } } });
    const { messages } = (await hookedAgent(bare).invoke(go, { ...thread, effort: { level: 3 } })) as {
      readonly messages: readonly { readonly content: string }[];
    };
    expect(messages.at(-1)?.content).to.equal('It is mild.');
  });
});

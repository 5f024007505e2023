import { expect } from 'chai';
import { hookedMastra } from '../../../lib/adapters/mastra/index.ts';
import { createPipeline } from '../../../lib/index.ts';
import { rejection } from '../../tools/rejection.ts';
import { type Any, call, scene } from './scene.ts';

const mild = { chunks: ['It is mild.'] };
const { model } = scene({ turns: [] });
const made = (parts: unknown, options: object = {}) =>
  hookedMastra(parts as Any, createPipeline([]), { agent: 'guest', ...options });
const refusal = async (work: () => unknown): Promise<string> => {
  const { code, message } = (await rejection(Promise.resolve().then(work))) as Any;
  expect(code).to.equal('INPUT_INVALID');
  return message;
};

describe('the arguments of hookedMastra', () => {
  it('are only a model and tools', async () => {
    for (const parts of [undefined, null, 5, []])
      expect(await refusal(() => made(parts))).to.include('must be an object that may hold model, tools');
    expect(await refusal(() => made({ model, tool: {} })))
      .to.include('cannot hold "tool"')
      .and.to.include('did you mean "tools"?');
  });

  it('must include a Mastra agent for hookedAgent', async () => {
    const { hookedAgent } = made({ model });
    for (const agent of [undefined, null, 'guest', {}])
      expect(await refusal(() => hookedAgent(agent as Any))).to.include('it must be a Mastra agent (new Agent(..))');
  });

  it('must be a list of names for `unhooked`', async () => {
    for (const unhooked of ['my_web_search', new Set(['web']), [5], null, { web: true }])
      expect(await refusal(() => made({ model }, { unhooked }))).to.include('it must be a list of tool names');
    made({ model }, { unhooked: ['web'] });
  });

  it('list tools without hooks, whose results hooks see in the model request', async () => {
    const helper = scene({ turns: [{ chunks: ['It is murky.'] }] });
    const { agent, recorded } = scene({
      turns: [{ calls: [call('c1', 'agent-helper', { prompt: 'Go!' })] }, mild],
      options: { unhooked: ['agent-helper'] },
      config: { agents: { helper: helper.agent } },
    });
    await agent.generate('Go!');
    expect(recorded.of('preActing')).to.have.length(0);
    expect(recorded.of('postActing').map(({ outcome }) => outcome)).to.deep.equal(['skipped']);
    expect(JSON.stringify(recorded.of('preReasoning')[1]?.messages)).to.include('It is murky.');
  });

  it('may be null for the options of an invocation, as in Mastra', async () => {
    const { agent } = scene({ turns: [mild, mild] });
    expect((await agent.generate('Go!', null)).text).to.equal('It is mild.');
    expect(await (await agent.stream('Go!', null)).text).to.equal('It is mild.');
  });
});

import { expect } from 'chai';
import * as langchain from 'langchain';
import { catchError } from 'rxjs';
import { hookedAgent, hookline } from '../../../lib/adapters/langchain/index.ts';
import { createPipeline, type HookDefinition } from '../../../lib/index.ts';
import { modules } from './langchain-host.ts';
import { go, looksAt, lookTool, mild, scene, thread } from './scene.ts';
import { ScriptedChatModel } from './scripted-chat-model.ts';

const fails = { error: new Error('overloaded') };
const retries = { maxRetries: 2, initialDelayMs: 1, jitter: false };

describe('LangChain retry middleware before the hooks', () => {
  for (const streamed of [false, true])
    it(`repeats the model request in the same run (${streamed ? 'streamed' : 'whole'})`, async () => {
      const before = [langchain.modelRetryMiddleware(retries)];
      const { agent, model, recorded } = scene({ turns: [fails, mild], before });
      if (streamed) for await (const _ of await agent.stream(go, { ...thread, streamMode: 'messages' }));
      else expect((await agent.invoke(go, thread)).messages.at(-1)?.content).to.equal('It is mild.');
      expect(model.prompts).to.have.length(2);
      expect(recorded.of('postCall').map(({ outcome }) => outcome)).to.deep.equal(['completed']);
      expect(recorded.of('postReasoning')).to.have.length(1);
    });

  it('asks another model in the same run', async () => {
    const before = [langchain.modelFallbackMiddleware(new ScriptedChatModel([mild]) as never)];
    const { agent, recorded } = scene({ turns: [fails], before });
    expect((await agent.invoke(go, thread)).messages.at(-1)?.content).to.equal('It is mild.');
    expect(recorded.of('postCall').map(({ outcome }) => outcome)).to.deep.equal(['completed']);
  });

  it('fails the run after the last attempt', async () => {
    const before = [langchain.modelRetryMiddleware({ ...retries, maxRetries: 1, onFailure: 'error' })];
    const { agent, model, recorded } = scene({ turns: [fails, fails, mild], before });
    await agent.invoke(go, thread).then(
      () => expect.fail('it has not failed'),
      () => {},
    );
    expect(model.prompts).to.have.length(2);
    expect(recorded.of('postCall').map(({ outcome }) => outcome)).to.deep.equal(['failed']);
  });

  it('repeats no tool call, and hookedAgent logs it', async () => {
    const said: unknown[] = [];
    const keep = (...told: readonly unknown[]): void => void said.push(told.at(-1));
    const log = { debug() {}, info() {}, warn: keep, error() {} };
    const ran: string[] = [];
    const look = lookTool('look', ran, () => {
      throw new Error('flaky');
    });
    const hooks = hookline(modules, createPipeline([], { log }), { agent: 'guest' });
    const agent = hookedAgent(
      langchain.createAgent({
        model: new ScriptedChatModel([looksAt('x'), mild]) as never,
        tools: [look],
        middleware: [langchain.toolRetryMiddleware(retries), hooks] as never,
      }),
    );
    expect(said).to.have.length(1);
    expect(said[0]).to.include('toolRetryMiddleware').and.include('around.acting');
    await agent.invoke(go as never);
    expect(ran).to.deep.equal(['look x']);
  });

  it('can be replaced by a hook that retries', async () => {
    const again: HookDefinition = {
      name: 'again',
      around: { acting: (_, next) => next().pipe(catchError(() => next())) },
    };
    const ran: string[] = [];
    const look = lookTool('look', ran, () => {
      if (ran.length === 1) throw new Error('flaky');
      return 'seen';
    });
    const { agent } = scene({ hooks: [again], turns: [looksAt('x'), mild], tools: [look] });
    const { messages } = await agent.invoke(go, thread);
    expect([ran.length, messages[2]?.content]).to.deep.equal([2, 'seen']);
  });
});

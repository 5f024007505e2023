import { expect } from 'chai';
import {
  type Answers,
  agentTool,
  createAgent,
  createPipeline,
  defineHook,
  defineState,
  errorResult,
  HookPriority,
  type JsonObject,
  modify,
  pendingCalls,
  respond,
  retry,
  textOf,
  verdict,
} from 'hookline';
import { recorder, scriptedModel, scriptedTool } from 'hookline/testing';
import { z } from 'zod';
import { type Played, play, stage } from './scene.ts';

const call = (name: string, input = {}) => ({ name, input });
const ask = () => defineHook({ name: 'ask', match: { tools: ['rm'] }, approve: () => verdict.suspend('sure?') });
const tools = () => ['rm', 'ls'].map((name) => scriptedTool({ name, result: `${name} done` }));

/** Returns answers to the pending calls of a suspended run, in order; undefined ones are omitted. */
function answer({ post }: Played, ...approvals: (boolean | undefined)[]): [JsonObject, Answers] {
  const snapshot = post.snapshot ?? {};
  const given = pendingCalls(snapshot).flatMap(({ key }, index) => {
    const yes = approvals[index];
    return yes === undefined ? [] : [[key, { approved: yes }] as const];
  });
  return [snapshot, Object.fromEntries(given)];
}

describe('issues of AgentScope that Hookline does not have: resume, sub-agents and context', () => {
  it('"a plain message while calls are pending throws": the calls are closed, and the run answers', () => {
    const { run, remembered, asked } = stage({
      turns: [{ toolCalls: [call('rm')] }, 'something else, then'],
      tools: tools(),
      hooks: [ask()],
    });
    run('remove it');
    expect(run('never mind').post.outcome).to.equal('completed');
    expect(asked(1)).to.have.length(4);
    expect(remembered()[2]).to.match(/^tool: \[failed: .*has not been resumed/);
    expect(remembered().slice(3)).to.deep.equal(['user: never mind', 'assistant: something else, then']);
  });

  it('"given results skip the acting hooks": a resumed call passes all of them again', () => {
    const ran: string[] = [];
    const guard = defineHook({
      name: 'guard',
      on: {
        preActing: ({ toolCall }) => void ran.push(`pre ${toolCall.name}`),
        postActing: ({ toolCall }) => void ran.push(`post ${toolCall.name}`),
      },
    });
    const { run, agent } = stage({ turns: [{ toolCalls: [call('rm')] }, 'ok'], tools: tools(), hooks: [guard, ask()] });
    play(agent.resume(...answer(run(), true)));
    expect(ran).to.deep.equal(['pre rm', 'pre rm', 'post rm']);
  });

  it('"the iteration count restarts on resume": the budget continues', () => {
    const { run, agent, model } = stage({
      turns: [{ toolCalls: [call('rm')] }, { toolCalls: [call('ls')] }, 'summed up'],
      tools: tools(),
      hooks: [ask()],
      maxIterations: 2,
    });
    const resumed = play(agent.resume(...answer(run(), true)));
    expect(resumed.post.outcome).to.equal('exhausted');
    expect(resumed.of('preReasoning').map(({ iteration, purpose }) => `${iteration} ${purpose}`)).to.deep.equal([
      '2 step',
      '3 summary',
    ]);
    expect(model.requests).to.have.length(3);
  });

  it('"partial results run all tools again": settled results stay, open ones are requested again', () => {
    const [rm, ls] = tools() as [ReturnType<typeof scriptedTool>, ReturnType<typeof scriptedTool>];
    const { run, agent } = stage({
      turns: [{ toolCalls: [call('rm', { n: 1 }), call('ls'), call('rm', { n: 2 })] }, 'ok'],
      tools: [rm, ls],
      hooks: [ask()],
    });
    const second = play(agent.resume(...answer(run(), true, undefined)));
    expect(second.post.outcome).to.equal('suspended');
    expect(pendingCalls(second.post.snapshot ?? {}).map(({ toolCall }) => toolCall.input)).to.deep.equal([{ n: 2 }]);
    const third = play(agent.resume(...answer(second, true)));
    expect(third.post.outcome).to.equal('completed');
    expect([rm.calls.map(({ input }) => input), ls.calls.length]).to.deep.equal([[{ n: 1 }, { n: 2 }], 1]);
  });

  it('"unknown ids throw from deep within": an unknown key is rejected with the pending ones', () => {
    const { run, agent } = stage({ turns: [{ toolCalls: [call('rm')] }], tools: tools(), hooks: [ask()] });
    const [snapshot, answers] = answer(run(), true);
    const stray = { ...answers, 'no/such': { approved: true } };
    expect(() => agent.resume(snapshot, stray)).to.throw(
      /No pending call has the key "no\/such"\. Pending: .+\/call_1/,
    );
  });

  it('"duplicate ids throw": repeated IDs are made unique, and each call is answered once', () => {
    const twin = { id: 'x', name: 'ls', input: {} };
    const { run } = stage({ turns: [{ toolCalls: [twin, twin] }, 'ok'], tools: tools() });
    expect(
      run()
        .of('postActing')
        .map(({ toolCall }) => toolCall.id),
    ).to.deep.equal(['x', 'x-2']);
  });

  it('"endless re-confirm": an answered call requires no further approval', () => {
    const { run, agent } = stage({ turns: [{ toolCalls: [call('rm')] }, 'ok'], tools: tools(), hooks: [ask()] });
    expect(play(agent.resume(...answer(run(), true))).post.outcome).to.equal('completed');
  });

  it('"orphan tool calls": the next request has the result of every call', () => {
    const fates = {
      deny: defineHook({ name: 'deny', approve: () => verdict.deny('no') }),
      respond: defineHook({ name: 'respond', on: { preActing: (event) => respond(event, 'yes') } }),
      fail: defineHook({
        name: 'fail',
        on: {
          preActing() {
            throw new Error('oh');
          },
        },
      }),
      retry: defineHook({
        name: 'retry',
        on: { postReasoning: (event) => (event.iteration === 1 ? retry(event) : undefined) },
      }),
      suspend: ask(),
    };
    for (const [fate, hook] of Object.entries(fates)) {
      const { run, model } = stage({ turns: [{ toolCalls: [call('rm')] }, 'ok', 'ok'], tools: tools(), hooks: [hook] });
      run('a');
      run('b');
      const parts = model.requests.at(-1)?.messages.flatMap((message) => message.parts) ?? [];
      const results = parts.filter((part) => part.type === 'toolResult');
      expect(
        results.map(({ toolCallId }) => toolCallId),
        fate,
      ).to.deep.equal(['call_1']);
    }
  });

  describe('"sub-agents bypass the hooks of their parent"', () => {
    const family = (hooks: Parameters<typeof createPipeline>[0], own: Parameters<typeof createPipeline>[0] = []) => {
      const rm = scriptedTool({ name: 'rm', result: 'gone' });
      const child = createAgent({
        name: 'helper',
        model: scriptedModel([{ toolCalls: [call('rm')] }, 'helped']),
        tools: [rm],
        pipeline: createPipeline(own),
      });
      const scene = stage({
        turns: [{ toolCalls: [call('helper', { prompt: 'help' })] }, 'ok'],
        tools: [agentTool(child, { description: 'helps' })],
        hooks: hooks ?? [],
      });
      return { rm, ...scene };
    };

    it('applies a guard of the parent to the calls of the child', () => {
      const guard = defineHook({
        name: 'guard',
        approve: ({ toolCall }) => (toolCall.name === 'rm' ? verdict.deny('no') : verdict.allow()),
      });
      const { run, rm } = family([guard]);
      expect(run().lines('postActing')[0]).to.include('helper: postActing call_1 denied');
      expect(rm.calls).to.be.empty;
    });

    it("streams their events inside the parent's", () => {
      const { events } = family([]).run();
      expect(events.filter(({ run }) => run.depth === 1).map(({ type }) => type)).to.include.members([
        'preCall',
        'postCall',
      ]);
    });

    it('suspends the parent for their approvals, and forwards the answer to them', () => {
      const { run, agent, rm } = family([ask()]);
      const first = run();
      expect(first.post.outcome).to.equal('suspended');
      expect(play(agent.resume(...answer(first, true))).post.outcome).to.equal('completed');
      expect(rm.calls).to.have.length(1);
    });
  });

  it('"no shared per-run state": hooks share typed state, which is reset for a new run', () => {
    const key = defineState({ name: 'calls', schema: z.number(), initial: () => 0 });
    const seen: number[] = [];
    const { run } = stage({
      turns: ['one', 'two'],
      hooks: [
        defineHook({ name: 'write', on: { preReasoning: (_, { state }) => state(key).update((n) => n + 1) } }),
        defineHook({ name: 'read', on: { postReasoning: (_, { state }) => void seen.push(state(key).get()) } }),
      ],
    });
    run();
    run();
    expect(seen).to.deep.equal([1, 1]);
  });

  it('"contexts leak between sessions": two simultaneous sessions separate transcript, user and state', async () => {
    const seen: string[] = [];
    const look = defineHook({
      name: 'look',
      on: {
        preReasoning: async ({ run }, { transcript }) => {
          await Promise.resolve();
          seen.push(`${run.userId}: ${transcript.map(textOf).join()}`);
        },
      },
    });
    const { agent } = stage({ turns: ['one', 'two'], hooks: [look] });
    await Promise.all([
      agent.call('from a', { sessionId: 'a', userId: 'ann' }),
      agent.call('from b', { sessionId: 'b', userId: 'bob' }),
    ]);
    expect(seen).to.have.members(['ann: from a', 'bob: from b']);
  });

  it('"hooks cannot tell requests apart": a run has its own metadata', () => {
    const seen = recorder();
    const { run } = stage({ turns: ['one'], hooks: [seen] });
    run('go', { metadata: { channel: 'mail' } });
    expect(seen.events.every((event) => event.run.metadata?.['channel'] === 'mail')).to.equal(true);
  });

  it('"generateOptions is always null": base options, model and tools are available for a merge', () => {
    const merge = defineHook({
      name: 'merge',
      on: { preReasoning: (event) => modify(event, { options: { ...event.options, toolChoice: { tool: 'ls' } } }) },
    });
    const { run, model } = stage({ turns: ['ok'], tools: tools(), hooks: [merge], modelOptions: { temperature: 0.2 } });
    const [pre] = run().of('preReasoning');
    expect(pre?.model).to.equal('scripted');
    expect(pre?.tools.map(({ name, inputSchema }) => [name, inputSchema['type']])).to.deep.equal([
      ['rm', 'object'],
      ['ls', 'object'],
    ]);
    expect(model.requests[0]?.options).to.deep.equal({ temperature: 0.2, toolChoice: { tool: 'ls' } });
  });

  it('"priorities are magic numbers": the bands have names, in the order of the chapter', () => {
    expect(HookPriority).to.deep.equal({
      ...{ SECURITY: 10, AUTH: 20, VALIDATION: 50, PREPROCESSING: 80 },
      ...{ BUSINESS: 100, POSTPROCESSING: 300, LOGGING: 500, METRICS: 600 },
    });
    expect(defineHook({ name: 'usual', observe: () => undefined }).priority).to.equal(100);
  });

  it('"stop when all tools are denied is impossible": a hook detects a batch with denials only', () => {
    const denier = defineHook({ name: 'denier', approve: () => verdict.deny('no') });
    const stop = defineHook({
      name: 'stop',
      on: {
        preReasoning(event) {
          const last = event.messages.at(-1);
          const results = last?.parts.flatMap((part) => (part.type === 'toolResult' ? [part.result] : [])) ?? [];
          const all = results.length > 0 && results.every(({ content }) => content.startsWith('The call was denied'));
          return all ? respond(event, 'I am not allowed to.') : undefined;
        },
      },
    });
    const { run, model } = stage({
      turns: [{ toolCalls: [call('rm'), call('ls')] }],
      tools: tools(),
      hooks: [denier, stop],
    });
    expect(run().post.outcome).to.equal('responded');
    expect(model.requests).to.have.length(1);
  });

  it('"no tool can be mocked": a hook answers instead, and later handlers may still deny', () => {
    const [rm] = tools() as [ReturnType<typeof scriptedTool>];
    const mock = defineHook({ name: 'mock', on: { preActing: (event) => respond(event, errorResult('mocked')) } });
    const scene = stage({ turns: [{ toolCalls: [call('rm')] }, 'ok'], tools: [rm], hooks: [mock] });
    expect(scene.run().lines('postActing')).to.deep.equal(['postActing call_1 responded isError "mocked"']);
    expect(rm.calls).to.be.empty;
  });
});

import { expect } from 'chai';
import {
  type AgentOptions,
  type AgentRunOptions,
  agentTool,
  createAgent,
  createPipeline,
  defineHook,
  HooklineError,
  type SettledEvent,
  textOf,
  userMessage,
} from '../../lib/index.ts';
import { recorder, scriptedModel, scriptedTool } from '../../lib/testing/index.ts';
import { play, stage } from '../acceptance/scene.ts';

const faultOf = (make: () => unknown): HooklineError => {
  try {
    make();
  } catch (thrown) {
    if (thrown instanceof HooklineError) return thrown;
    throw thrown;
  }
  throw new Error('nothing was thrown');
};
const named = (name: string) => defineHook({ name, on: { preCall: () => undefined } });

describe('createAgent', () => {
  const model = scriptedModel([]);
  const cases: Record<string, [options: object, code: string, message: RegExp]> = {
    'no name': [{ model, name: '' }, 'OPTIONS_INVALID', /name/],
    'no model': [{ name: 'a' }, 'OPTIONS_INVALID', /must be a function of a request/],
    'a pipeline without createPipeline': [{ name: 'a', model, pipeline: [] }, 'OPTIONS_INVALID', /createPipeline\(\)/],
    'a store that cannot load': [{ name: 'a', model, transcript: {} }, 'OPTIONS_INVALID', /transcript store/],
    'zero iterations': [{ name: 'a', model, maxIterations: 0 }, 'OPTIONS_INVALID', /maxIterations/],
    'a fractional tool concurrency': [{ name: 'a', model, toolConcurrency: 0.5 }, 'OPTIONS_INVALID', /toolConcurrency/],
    'a misspelled option': [{ name: 'a', model, instruction: '' }, 'OPTIONS_INVALID', /instruction/],
    'an object that is not a tool': [{ name: 'a', model, tools: [{ name: 'x' }] }, 'TOOL_INVALID', /"x"/],
  };
  for (const [issue, [options, code, message]] of Object.entries(cases)) {
    it(`rejects ${issue}`, () => {
      const thrown = faultOf(() => createAgent(options as AgentOptions));
      expect(thrown.code).to.equal(code);
      expect(thrown.message).to.match(message);
    });
  }

  it('lists every validation issue at once', () => {
    const { message } = faultOf(() => createAgent({ name: '', model, maxIterations: -1 }));
    expect(message).to.match(/name[\s\S]*maxIterations|maxIterations[\s\S]*name/);
  });

  it('rejects a tool without a name that cannot be serialized as JSON', () => {
    const circular: Record<string, unknown> = { description: 'round' };
    circular['self'] = circular;
    for (const tool of [circular, { size: 1n }, () => 'x', Object.create(null), undefined, { name: 1n }]) {
      const thrown = faultOf(() => createAgent({ name: 'a', model, tools: [tool as never] }));
      expect(thrown.code).to.equal('TOOL_INVALID');
      expect(thrown.message).to.match(/^Tool \S[\s\S]*: /);
    }
  });

  it('rejects two tools of one name, of the agent or of a hook', () => {
    const look = () => scriptedTool({ name: 'look' });
    expect(faultOf(() => createAgent({ name: 'a', model, tools: [look(), look()] })).code).to.equal('HOOK_DUPLICATE');
    const pipeline = createPipeline([defineHook({ name: 'bringer', tools: [look()] })]);
    expect(faultOf(() => createAgent({ name: 'a', model, tools: [look()], pipeline })).code).to.equal('HOOK_DUPLICATE');
  });
});

describe('agent.run', () => {
  const runs: Record<string, [input: unknown, options: object, code: string, message: RegExp]> = {
    'a session id that is not a string': ['go', { sessionId: 7 }, 'OPTIONS_INVALID', /sessionId/],
    'zero iterations': ['go', { maxIterations: 0 }, 'OPTIONS_INVALID', /maxIterations/],
    'NaN iterations': ['go', { maxIterations: Number.NaN }, 'OPTIONS_INVALID', /maxIterations/],
    'a signal that is not an AbortSignal': ['go', { signal: 7 }, 'OPTIONS_INVALID', /must be an AbortSignal/],
    'steering that is not an Observable': ['go', { steering$: ['a'] }, 'OPTIONS_INVALID', /must be an Observable/],
    'a misspelled option': ['go', { session: 's' }, 'OPTIONS_INVALID', /session/],
    'metadata that is not JSON': ['go', { metadata: { f: () => 0 } }, 'NOT_JSON', /metadata\.f/],
    'no input': [undefined, {}, 'INPUT_INVALID', /message 0 must be a string or a message/],
    'a message with an unknown role': [['a', { role: 'x', parts: [] }], {}, 'INPUT_INVALID', /message 1[\s\S]*role/],
  };
  for (const [issue, [input, options, code, message]] of Object.entries(runs)) {
    it(`fails for ${issue} before anything starts`, () => {
      const seen = recorder();
      const { agent } = stage({ turns: ['ok'], hooks: [seen] });
      let thrown: unknown;
      agent.run(input as string, options as AgentRunOptions).subscribe({
        error: (error) => {
          thrown = error;
        },
      });
      expect(thrown).to.be.instanceOf(HooklineError);
      expect((thrown as HooklineError).code).to.equal(code);
      expect((thrown as HooklineError).message).to.match(message);
      expect(seen.events).to.be.empty;
    });
  }

  it('is cold: each subscription starts a separate run', () => {
    const { agent, model } = stage({ turns: ['one', 'two'] });
    const run$ = agent.run('go');
    expect(model.requests).to.be.empty;
    const [one, two] = [play(run$), play(run$)];
    expect([textOf(one.post.message), textOf(two.post.message)]).to.deep.equal(['one', 'two']);
    expect(one.post.run.runId).not.to.equal(two.post.run.runId);
    expect(one.post.run.sessionId).not.to.equal(two.post.run.sessionId);
  });

  it('accepts texts, messages and lists of both', () => {
    const { run, asked } = stage({ turns: ['ok'] });
    run(['one', userMessage('two'), { role: 'user', parts: [{ type: 'media', url: 'media://7' }] }]);
    expect(asked(0)).to.deep.equal(['user: one', 'user: two', 'user: <media://7>']);
  });

  it('accepts no input and continues the conversation', () => {
    const { run, asked } = stage({ turns: ['one', 'two'] });
    run('go');
    run([]);
    expect(asked(1)).to.deep.equal(['user: go', 'assistant: one']);
  });

  it('copies its input, so that later changes have no effect', () => {
    const message = { role: 'user' as const, parts: [{ type: 'text' as const, text: 'before' }] };
    const { run, remembered } = stage({ turns: ['ok'] });
    run(message);
    message.parts[0] = { type: 'text', text: 'after' };
    expect(remembered()[0]).to.equal('user: before');
  });

  it('stamps every event with its run, a seq without gaps and a time', () => {
    const { run } = stage({ turns: ['ok'] });
    const { events } = run('go', { userId: 'ann', metadata: { channel: 'mail' } });
    for (const [index, event] of events.entries()) {
      expect(event.run).to.deep.include({ agent: 'MyAgent', sessionId: 's', userId: 'ann', depth: 0 });
      expect(event.run.metadata).to.deep.equal({ channel: 'mail' });
      expect(event.seq).to.equal(index);
      expect(event.time).to.be.a('number');
    }
  });

  it('gives its own maxIterations precedence over the agent’s', () => {
    const turns = [{ toolCalls: [{ name: 'look', input: {} }] }, 'sum'];
    const { run } = stage({ turns, tools: [scriptedTool({ name: 'look', result: 'seen' })], maxIterations: 9 });
    expect(run('go', { maxIterations: 1 }).post.outcome).to.equal('exhausted');
  });
});

describe('agent.call', () => {
  it('resolves with the postCall for any outcome', async () => {
    const { agent } = stage({ turns: ['ok', { error: 'quota' }] });
    const done = await agent.call('go');
    expect([done.type, done.outcome, textOf(done.message)]).to.deep.equal(['postCall', 'completed', 'ok']);
    expect(await agent.call('go')).to.deep.include({ outcome: 'failed', reason: 'quota' });
    expect((await agent.call('go', { signal: AbortSignal.abort('no') })).outcome).to.equal('cancelled');
  });

  it('resolves with its own postCall, not a sub-agent’s', async () => {
    const child = createAgent({ name: 'child', model: scriptedModel(['of the child']) });
    const tool = agentTool(child, { name: 'ask', description: 'asks' });
    const { agent } = stage({
      turns: [{ toolCalls: [{ name: 'ask', input: { prompt: 'go' } }] }, 'of the parent'],
      tools: [tool],
    });
    const seen: SettledEvent[] = [];
    agent.pipeline.events$.subscribe((event) => seen.push(event));
    expect((await agent.call('go')).run.agent).to.equal('MyAgent');
    expect(seen.filter(({ type }) => type === 'postCall')).to.have.length(2);
  });

  it('rejects if the run cannot start', async () => {
    const { agent } = stage({ turns: [] });
    const thrown = await agent.call('go', { maxIterations: -1 }).catch((error) => error);
    expect(thrown).to.be.instanceOf(HooklineError);
  });
});

describe('agent.addHook', () => {
  it('applies to the next runs, not to an active one', () => {
    const seen = recorder();
    const adder = defineHook({
      name: 'adder',
      on: { preCall: () => void (agent.pipeline.hooks.length === 1 && agent.addHook(seen)) },
    });
    const { agent, run } = stage({ turns: ['one', 'two'], hooks: [adder] });
    run();
    expect(seen.events).to.be.empty;
    run();
    expect(seen.of('postCall')).to.have.length(1);
  });

  it('returns an undo that removes only this hook, once', () => {
    const { agent } = stage({ turns: [], hooks: [named('first')] });
    const undo = agent.addHook(named('a'));
    agent.addHook(named('b'));
    undo();
    expect(agent.pipeline.hooks.map(({ name }) => name)).to.deep.equal(['first', 'b']);
    agent.addHook(named('a'));
    undo();
    expect(agent.pipeline.hooks.map(({ name }) => name)).to.deep.equal(['first', 'b', 'a']);
  });

  it('rejects a duplicate name and an invalid hook, and stays unchanged', () => {
    const { agent } = stage({ turns: [], hooks: [named('a')] });
    expect(faultOf(() => agent.addHook(named('a'))).code).to.equal('HOOK_DUPLICATE');
    expect(faultOf(() => agent.addHook({ name: 'b' } as never)).code).to.equal('HOOK_INVALID');
    expect(agent.pipeline.hooks.map(({ name }) => name)).to.deep.equal(['a']);
  });

  it('offers the tools of the hook and removes them with it', () => {
    const { agent, model, run } = stage({ turns: ['one', 'two'] });
    const undo = agent.addHook(defineHook({ name: 'bringer', tools: [scriptedTool({ name: 'look' })] }));
    run();
    undo();
    run();
    expect(model.requests.map(({ tools }) => tools.map(({ name }) => name))).to.deep.equal([['look'], []]);
  });

  it('does not change the pipeline given to the agent', () => {
    const pipeline = createPipeline([named('a')]);
    const agent = createAgent({ name: 'x', model: scriptedModel([]), pipeline });
    agent.addHook(named('b'));
    expect(pipeline.hooks.map(({ name }) => name)).to.deep.equal(['a']);
  });
});

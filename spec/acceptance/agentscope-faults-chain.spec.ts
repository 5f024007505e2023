import { expect } from 'chai';
import {
  abort,
  createPipeline,
  defineHook,
  finish,
  type Handlers,
  type Hook,
  type HookDefinition,
  modify,
  respond,
  retry,
  textMessage,
  textOf,
} from 'hookline';
import { recorder, scriptedTool } from 'hookline/testing';
import { EMPTY, finalize, tap } from 'rxjs';
import { stage } from './scene.ts';

const call = (name: string, input = {}) => ({ name, input });
const hook = (name: string, on: Handlers, own: Partial<HookDefinition> = {}): Hook => defineHook({ name, on, ...own });
const look = () => scriptedTool({ name: 'look', result: 'seen' });
const acting = [{ toolCalls: [call('look')] }, 'done'];

describe('issues of AgentScope that Hookline does not have: order, chaining, EMPTY and errors', () => {
  it('"priority is not honoured": a later hook runs by its priority, ties by registration', () => {
    const ran: string[] = [];
    const named = (name: string, priority?: number) =>
      hook(name, { preCall: () => void ran.push(name) }, priority === undefined ? {} : { priority });
    const { agent, run } = stage({ turns: ['ok'], hooks: [named('last', 600), named('a'), named('b')] });
    agent.addHook(named('c'));
    agent.addHook(named('first', 10));
    run();
    expect(ran).to.deep.equal(['first', 'a', 'b', 'c', 'last']);
  });

  it('"the builder drops a duplicate without a word": a repeated name is an error', () => {
    const twice = [hook('same', { preCall: () => undefined }), hook('same', { postCall: () => undefined })];
    expect(() => createPipeline(twice)).to.throw('Two hooks are named "same"');
  });

  it('"the list of hooks can be changed from outside": it is frozen', () => {
    const { agent } = stage({ turns: [], hooks: [hook('a', { preCall: () => undefined })] });
    expect(() => (agent.pipeline.hooks as Hook[]).push(hook('b', {}))).to.throw();
    expect(agent.pipeline.hooks.map(({ name }) => name)).to.deep.equal(['a']);
  });

  it('"Post hooks never unwind": around enters in order and exits in reverse', () => {
    const ran: string[] = [];
    const onion = (name: string, priority: number) =>
      defineHook({
        name,
        priority,
        around: {
          reasoning: (_, next) =>
            next().pipe(
              tap({ subscribe: () => void ran.push(`+${name}`) }),
              finalize(() => void ran.push(`-${name}`)),
            ),
        },
      });
    stage({ turns: ['ok'], hooks: [onion('inner', 20), onion('outer', 10)] }).run();
    expect(ran).to.deep.equal(['+outer', '+inner', '-inner', '-outer']);
  });

  it('"one mutable event is passed on": the error names the hook that changes it', () => {
    const vandal = hook('vandal', {
      preReasoning: (event) => {
        (event.messages as unknown as unknown[]).length = 0;
      },
    });
    const { run, model } = stage({ turns: ['ok'], hooks: [vandal] });
    const { post, of } = run();
    expect(post.outcome).to.equal('failed');
    expect(of('error')[0]?.hook).to.equal('vandal');
    expect(model.requests).to.be.empty;
  });

  it('"hooks after a stop still run": the remaining handlers are skipped', () => {
    const after: string[] = [];
    const seen = recorder();
    const { run } = stage({
      turns: acting,
      tools: [look()],
      hooks: [
        hook('stop', { postReasoning: (event) => finish(event) }),
        hook('late', { postReasoning: () => void after.push('ran') }),
        seen,
      ],
    });
    expect(run().post.outcome).to.equal('finished');
    expect(after).to.be.empty;
    expect(seen.of('postReasoning')[0]?.decision).to.deep.include({ action: 'finish', by: 'stop' });
  });

  it('"stop and goto have no order": finish overrides an earlier retry, and no hook reverts it', () => {
    const { run, model } = stage({
      turns: ['first', 'second'],
      hooks: [
        hook('again', { postReasoning: (event) => retry(event, 'again') }, { priority: 1 }),
        hook('stop', { postReasoning: (event) => finish(event) }, { priority: 2 }),
        hook('again too', { postReasoning: (event) => retry(event, 'again') }, { priority: 3 }),
      ],
    });
    expect(run().post).to.deep.include({ outcome: 'finished' });
    expect(model.requests).to.have.length(1);
  });

  it('"a message that is set after goto escapes validation": its tool calls are closed too', () => {
    const calling = {
      role: 'assistant' as const,
      parts: [{ type: 'toolCall' as const, toolCall: { id: 'c9', name: 'look', input: {} } }],
    };
    const { run, remembered } = stage({
      turns: ['first', 'second'],
      tools: [look()],
      hooks: [
        hook('again', {
          postReasoning: (event) => (textOf(event.message) === 'first' ? retry(event, 'not yet') : undefined),
        }),
        hook('setter', {
          postReasoning: (event) =>
            textOf(event.message) === 'first' ? modify(event, { message: calling }) : undefined,
        }),
      ],
    });
    run();
    expect(remembered().slice(1)).to.deep.equal([
      'assistant: [look {}]',
      'tool: [failed: The call was not started: hook "again" asked the model to reason again.]',
      'user: not yet',
      'assistant: second',
    ]);
  });

  it('"always-goto never ends": retries are limited, and an event reports the limit', () => {
    const { run, model } = stage({
      turns: Array.from({ length: 50 }, (_, n) => `${n}`),
      hooks: [hook('again', { postReasoning: (event) => retry(event, 'again') })],
      settings: { maxRetries: 3 },
    });
    const { post, of } = run();
    expect(post.outcome).to.equal('completed');
    expect(model.requests).to.have.length(4);
    expect(of('error')[0]?.error.message).to.include('3 in a row are the limit');
  });

  it('"goto skips the check of maxIters": a retry counts as an iteration', () => {
    const { run, model } = stage({
      turns: Array.from({ length: 50 }, (_, n) => `${n}`),
      hooks: [hook('again', { postReasoning: (event) => retry(event, 'again') })],
      maxIterations: 2,
      settings: { maxRetries: 4 },
    });
    expect(run().post.outcome).to.equal('exhausted');
    expect(model.requests.length).to.be.below(10);
  });

  describe('"EMPTY from a hook swallows what follows"', () => {
    const empty = (type: keyof Handlers) => defineHook({ name: 'empty', on: { [type]: () => EMPTY } });
    for (const type of ['preCall', 'preReasoning', 'postReasoning', 'preActing', 'postActing', 'postCall'] as const) {
      it(`keeps the value unchanged from ${type}`, () => {
        const usual = stage({ turns: acting, tools: [look()] });
        const { run, remembered } = stage({ turns: acting, tools: [look()], hooks: [empty(type)] });
        expect(run().lines()).to.deep.equal(usual.run().lines());
        expect(remembered()).to.deep.equal(usual.remembered());
      });
    }

    it('drops the chunk from a chunk handler, and the message follows', () => {
      const drop = hook('drop', { reasoningChunk: (event) => (event.delta === 'b' ? EMPTY : undefined) });
      const { run } = stage({ turns: [{ chunks: ['a', 'b', 'c'] }], hooks: [drop] });
      expect(textOf(run().post.message)).to.equal('ac');
    });
  });

  it('"a hook’s error is thrown at the caller": one error event and postCall with the cause', async () => {
    const broken = hook('broken', {
      preReasoning: () => {
        throw new Error('no disk', { cause: new Error('EIO') });
      },
    });
    const { agent, run } = stage({ turns: ['ok'], hooks: [broken] });
    const { lines, of } = run();
    expect(lines()).to.deep.equal([
      'preCall "go"',
      'error reasoning hook broken "Hook \\"broken\\" failed in on.preReasoning: no disk"',
      'postCall failed (Hook "broken" failed in on.preReasoning: no disk)',
    ]);
    expect(of('error')[0]?.error.cause).to.deep.include({ message: 'no disk' });
    expect(of('error')[0]?.error.cause?.cause).to.deep.include({ message: 'EIO' });
    expect((await agent.call('again')).outcome).to.equal('failed');
  });

  it('"hook errors while summing up become a message": the run fails', () => {
    const broken = hook('broken', {
      postReasoning: (event) => {
        if (event.purpose === 'summary') throw new Error('no disk');
      },
    });
    const { run, remembered } = stage({
      turns: [{ toolCalls: [call('look')] }, 'the sum'],
      tools: [look()],
      hooks: [broken],
      maxIterations: 1,
    });
    expect(run().post).to.deep.include({ outcome: 'failed' });
    expect(remembered().join()).not.to.include('no disk');
  });

  it('"error hooks cannot recover": a hook answers instead of the model', () => {
    const rescue = hook('rescue', {
      error: (event) => (event.phase === 'reasoning' ? respond(event, 'The model is away.') : undefined),
    });
    const { run, remembered } = stage({ turns: [{ error: 'quota' }], hooks: [rescue] });
    expect(textOf(run().post.message)).to.equal('The model is away.');
    expect(remembered()).to.deep.equal(['user: go', 'assistant: The model is away.']);
  });

  it('"error hooks run at the same time": they run in order, and the first answer counts', () => {
    const ran: string[] = [];
    const rescue = (name: string, priority: number) =>
      hook(
        name,
        {
          error: (event) => {
            ran.push(name);
            return event.phase === 'reasoning' ? respond(event, name) : undefined;
          },
        },
        { priority },
      );
    const { run } = stage({ turns: [{ error: 'quota' }], hooks: [rescue('second', 2), rescue('first', 1)] });
    expect(textOf(run().post.message)).to.equal('first');
    expect(ran).to.deep.equal(['first', 'second']);
  });

  it('"a throw in an error hook replaces the original error": the original error stays', () => {
    const broken = hook('broken', {
      error: () => {
        throw new Error('worse');
      },
    });
    const { run } = stage({ turns: [{ error: 'quota' }], hooks: [broken] });
    const { of, post } = run();
    expect(of('error').map(({ error }) => error.message)).to.deep.equal(['quota']);
    expect(post.reason).to.equal('quota');
  });

  it('"tool exceptions are never Error events": one event reports it, then the failed result follows', () => {
    const { run } = stage({ turns: acting, tools: [scriptedTool({ name: 'look', error: 'blind' })] });
    expect(run().lines('error', 'postActing', 'postCall')).to.deep.equal([
      'error acting tool call_1 "blind"',
      'postActing call_1 failed "Tool \\"look\\" failed: blind"',
      'postCall completed "done"',
    ]);
  });

  it('"budgets can only stop by throwing": a hook ends the run with a reason', () => {
    const budget = hook('budget', {
      preReasoning: (event) => (event.iteration > 1 ? abort(event, 'one model call is enough') : undefined),
    });
    const { run, model } = stage({ turns: acting, tools: [look()], hooks: [budget] });
    expect(run().post).to.deep.include({ outcome: 'aborted', reason: 'hook "budget": one model call is enough' });
    expect(model.requests).to.have.length(1);
  });

  it('"setters have no effect": a change that an event does not accept is an error', () => {
    const setter = hook('setter', {
      postReasoning: (event) => modify(event, { usage: { inputTokens: 0, outputTokens: 0 } } as never),
    });
    const { of } = stage({ turns: ['ok'], hooks: [setter] }).run();
    expect(of('error')[0]?.error.cause?.code).to.equal('CHANGE_ILLEGAL');
    expect(of('error')[0]?.error.message).to.include('"usage" of a postReasoning event cannot be changed');
  });

  it('"PreCall cannot carry a system message": that of a hook is accepted and stored', () => {
    const { run, asked, remembered } = stage({
      turns: ['ok'],
      hooks: [
        hook('house', {
          preCall: (event) => modify(event, { messages: [textMessage('system', 'Be kind.'), ...event.messages] }),
        }),
      ],
    });
    run();
    expect(asked(0)).to.deep.equal(['system: Be kind.', 'user: go']);
    expect(remembered()).to.deep.equal(['system: Be kind.', 'user: go', 'assistant: ok']);
  });
});

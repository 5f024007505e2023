import { Command, interrupt, MemorySaver } from '@langchain/langgraph';
import { expect } from 'chai';
import * as langchain from 'langchain';
import { hookedAgent, hookline, RunAborted } from '../../../lib/adapters/langchain/index.ts';
import {
  abort,
  createPipeline,
  finish,
  type HookDefinition,
  modify,
  type Pipeline,
  retry,
} from '../../../lib/index.ts';
import { silentLogger } from '../../../lib/pipeline/logger.ts';
import { rejection } from '../../tools/rejection.ts';
import { modules } from './langchain-host.ts';
import { type Agent, go, looksAt, lookTool, mild, scene, thread } from './scene.ts';
import { ScriptedChatModel } from './scripted-chat-model.ts';

async function drain(stream: AsyncIterable<unknown> | Promise<AsyncIterable<unknown>>): Promise<void> {
  for await (const _ of await stream);
}

describe('a LangChain run', () => {
  it('continues after a tool error and returns it to the model', async () => {
    const fails = (): never => {
      throw new Error('no such place');
    };
    const { agent, recorded } = scene({ turns: [looksAt('x', 'y'), mild], tools: [lookTool('look', [], fails)] });
    const { messages } = await agent.invoke(go, thread);
    expect(messages.filter(({ status }) => status === 'error').map(({ content }) => content)).to.have.length(2);
    expect(messages[2]?.content).to.include('no such place');
    expect(recorded.of('postActing').map(({ outcome }) => outcome)).to.deep.equal(['failed', 'failed']);
    expect(recorded.of('postCall')[0]?.outcome).to.equal('completed');
  });

  it('continues after an invalid input and names the issue', async () => {
    const ran: string[] = [];
    const turn = { calls: [{ id: 'c1', name: 'look', input: { at: 3 } }] };
    const { agent } = scene({ turns: [turn, mild], tools: [lookTool('look', ran)] });
    const { messages } = await agent.invoke(go, thread);
    expect([ran, messages.at(-2)?.status]).to.deep.equal([[], 'error']);
    expect(messages.at(-2)?.content).to.include('at');
  });

  const broken = (): never => {
    throw new Error('broken');
  };
  const ends: Readonly<Record<string, NonNullable<HookDefinition['on']>>> = {
    'an abort': { postActing: (event) => abort(event, 'enough') },
    'a failing hook': { postActing: broken },
  };
  for (const [what, on] of Object.entries(ends))
    it(`leaves no rejection if ${what} ends it after a tool, in a version 3 stream`, async () => {
      const unhandled: unknown[] = [];
      const note = (thrown: unknown): void => void unhandled.push(thrown);
      process.on('unhandledRejection', note);
      try {
        const { agent, recorded, model } = scene({
          hooks: [{ name: 'stops', onFailure: 'block', on }],
          log: silentLogger,
          turns: [looksAt('x'), mild],
          tools: [lookTool('look', [])],
        });
        const stream = (await agent.streamEvents(go, { ...thread, version: 'v3' })) as never as {
          readonly output: Promise<unknown>;
        };
        const error = await rejection(stream.output);
        await new Promise((resolve) => setTimeout(resolve, 50));
        expect(unhandled).to.deep.equal([]);
        expect(error.message).to.contain(what === 'an abort' ? 'enough' : 'broken');
        expect(model.prompts).to.have.length(1);
        expect(recorded.of('postCall').map(({ outcome }) => outcome)).to.have.length(1);
      } finally {
        process.off('unhandledRejection', note);
      }
    });

  for (const streamed of [false, true]) {
    it(`ends concurrent calls when one is aborted (${streamed ? 'streamed' : 'whole'})`, async () => {
      const cut: string[] = [];
      const waits = (at: string): unknown => (at === 'y' ? new Promise(() => {}) : 'seen');
      const stops: HookDefinition = {
        name: 'stops',
        on: { postActing: (event) => (event.toolCall.id === 'c1' ? abort(event, 'enough') : undefined) },
        observe: (event) => void (event.type === 'postActing' && cut.push(`${event.toolCall.id} ${event.outcome}`)),
      };
      const { agent, recorded, model } = scene({
        hooks: [stops],
        turns: [looksAt('x', 'y'), mild],
        tools: [lookTool('look', [], waits)],
      });
      const error = await rejection(streamed ? drain(agent.stream(go, thread)) : agent.invoke(go, thread));
      expect(error).to.be.instanceOf(RunAborted);
      expect((error as RunAborted).decision).to.include({ by: 'stops', reason: 'enough' });
      expect(cut).to.have.members(['c1 executed', 'c2 cancelled']);
      expect(recorded.of('postCall').map(({ outcome }) => outcome)).to.deep.equal(['aborted']);
      expect(model.prompts).to.have.length(1);
    });
  }

  it('fails with the error of the model, and has its postCall', async () => {
    for (const streamed of [false, true]) {
      const { agent, recorded } = scene({ turns: [{ error: new RangeError('no quota') }] });
      const error = await rejection(
        streamed ? drain(agent.stream(go, { ...thread, streamMode: 'messages' })) : agent.invoke(go, thread),
      );
      expect((error as Error).cause)
        .to.be.instanceOf(RangeError)
        .with.property('message', 'no quota');
      expect(recorded.of('postCall').map(({ outcome }) => outcome)).to.deep.equal(['failed']);
    }
  });

  it('is cancelled by the signal of its call', async () => {
    const stop = new AbortController();
    const waits = (): unknown => {
      stop.abort();
      return new Promise(() => {});
    };
    const { agent, recorded } = scene({ turns: [looksAt('x')], tools: [lookTool('look', [], waits)] });
    await rejection(agent.invoke(go, { ...thread, signal: stop.signal }));
    expect(recorded.of('postCall').map(({ outcome }) => outcome)).to.deep.equal(['cancelled']);
    expect(recorded.of('postActing').map(({ outcome }) => outcome)).to.deep.equal(['cancelled']);
  });

  it('is cancelled when its stream is abandoned', async () => {
    const { agent, recorded } = scene({
      turns: [looksAt('x')],
      tools: [lookTool('look', [], () => new Promise(() => {}))],
    });
    const stream = await agent.stream(go, { ...thread, streamMode: 'updates' });
    for await (const _ of stream) break;
    expect(recorded.of('postCall').map(({ outcome }) => outcome)).to.deep.equal(['cancelled']);
  });

  it('adds no empty message if a hook ends it after a result', async () => {
    const ends: HookDefinition = { name: 'ends', on: { postActing: (event) => finish(event) } };
    const { agent } = scene({ hooks: [ends], turns: [looksAt('x')], tools: [lookTool('look', [])] });
    const { messages } = await agent.invoke(go, thread);
    expect(messages.map(({ content }) => content)).to.deep.equal(['Go!', 'Looking. ', 'seen']);
  });

  it('accepts options in its own call', async () => {
    const { agent, recorded } = scene({ turns: [mild] });
    const hooked = agent.withConfig({ configurable: { hookline: { userId: 'ann', metadata: { chat: 7 } } } });
    await hooked.invoke(go, thread);
    expect(recorded.of('preCall')[0]?.run).to.include({ agent: 'guest', userId: 'ann', sessionId: 'thread' });
    const error = await rejection(
      agent.invoke(go, { configurable: { thread_id: 'other', hookline: { user: 'ann' } } }),
    );
    expect(String(error)).to.include('configurable.hookline cannot hold "user"');
  });

  it('without hookedAgent has its postCall when it completes', async () => {
    const { bare, recorded } = scene({ turns: [looksAt('x'), mild], tools: [lookTool('look', [])] });
    await bare.invoke(go, thread);
    await bare.invoke(go, { configurable: { thread_id: 'other' } }).catch(() => {});
    expect(recorded.of('postCall').map(({ outcome }) => outcome)).to.deep.equal(['completed']);
  });

  it('stays separate from concurrent runs', async () => {
    const { agent, recorded } = scene({ turns: [mild, mild, mild] });
    const ids = ['a', 'b', 'c'];
    await Promise.all(ids.map((id) => agent.invoke(go, { configurable: { thread_id: id } })));
    expect(recorded.of('postCall').map(({ run }) => run.sessionId)).to.have.members(ids);
    expect(new Set(recorded.of('postReasoning').map(({ run }) => run.runId)).size).to.equal(3);
  });
});

describe('graphs interrupted before they had hooks', () => {
  it('continue as separate runs, each with its session', async () => {
    const checkpointer = new MemorySaver();
    const tool = langchain.tool(() => `told ${interrupt('Which?')}`, {
      name: 'look',
      description: 'Has a look.',
      schema: { type: 'object', properties: { at: { type: 'string' } } } as never,
    });
    const plain = langchain.createAgent({
      model: new ScriptedChatModel([looksAt('x'), looksAt('x')]) as never,
      tools: [tool],
      checkpointer,
    }) as unknown as Agent;
    const threads = ['a', 'b'].map((thread_id) => ({ configurable: { thread_id } }));
    for (const one of threads) expect((await plain.invoke(go, one)).__interrupt__).to.have.length(1);
    const { bare, recorded } = scene({ turns: [mild, mild], tools: [tool], agent: { checkpointer } });
    await Promise.all(threads.map((one) => bare.invoke(new Command({ resume: 'this' }) as never, one)));
    expect(recorded.of('preCall').map(({ run }) => run.sessionId)).to.have.members(['a', 'b']);
  });
});

describe('hook tools and structured output', () => {
  it('offers and runs the tools of hooks', async () => {
    const brings: HookDefinition = {
      name: 'brings',
      tools: [
        {
          name: 'look',
          description: 'Has a look.',
          inputSchema: { type: 'object', properties: { at: { type: 'string' } } },
          permission: 'read',
          execute: (input) => `seen ${(input as { at: string }).at}`,
        },
      ],
    };
    const { agent, model, recorded } = scene({ hooks: [brings], turns: [looksAt('x'), mild] });
    const { messages } = await agent.invoke(go, thread);
    expect(messages.at(-2)?.content).to.equal('seen x');
    expect(model.boundTools).to.have.length(1);
    expect(recorded.of('preActing')[0]?.permission).to.equal('read');
  });

  it('parses structured output from the text settled by hooks', async () => {
    const corrects: HookDefinition = {
      name: 'corrects',
      on: { reasoningChunk: (event) => modify(event, { delta: event.delta.replace('cold', 'warm') }) },
    };
    const schema = { type: 'object', properties: { weather: { type: 'string' } }, required: ['weather'] };
    const { agent } = scene({
      hooks: [corrects],
      turns: [{ chunks: ['{"weather":', '"cold"}'] }],
      agent: { responseFormat: langchain.providerStrategy(schema as never) },
    });
    expect((await agent.invoke(go, thread)).structuredResponse).to.deep.equal({ weather: 'warm' });
  });
});

describe('other middleware', () => {
  it('may come before the hooks', async () => {
    const seen: string[] = [];
    const before = langchain.createMiddleware({
      name: 'before',
      wrapModelCall: (request, next) => {
        seen.push('model');
        return next(request);
      },
      wrapToolCall: (request, next) => {
        seen.push('tool');
        return next(request);
      },
    });
    const { agent } = scene({ turns: [looksAt('x'), mild], tools: [lookTool('look', [])], before: [before] });
    await agent.invoke(go, thread);
    expect(seen).to.deep.equal(['model', 'tool', 'model']);
  });

  for (const [what, after] of [
    ['the model', { wrapModelCall: async () => new langchain.AIMessage('Mine.') }],
    [
      'the tool "look"',
      { wrapToolCall: async () => new langchain.ToolMessage({ content: 'Mine.', tool_call_id: 'c1' }) },
    ],
  ] as const) {
    it(`fails the run if it replaces ${what} after the hooks`, async () => {
      const behind = langchain.createMiddleware({ name: 'behind', ...after } as never);
      const { agent, recorded } = scene({
        turns: [looksAt('x'), mild],
        tools: [lookTool('look', [])],
        after: [behind],
      });
      const error = await rejection(agent.invoke(go, thread));
      expect(String(error)).to.include(what).and.include('put hookline(..) last');
      expect(recorded.of('postCall').map(({ outcome }) => outcome)).to.deep.equal(['failed']);
    });
  }
});

describe('hookline and hookedAgent', () => {
  const pipeline = createPipeline([]);

  for (const [missing, module] of [
    ['BaseChatModel', '@langchain/core/language_models/chat_models'],
    ['Command', '@langchain/langgraph'],
    ['createMiddleware', 'langchain'],
  ] as const) {
    it(`require ${missing} of ${module}`, () => {
      const given = { ...modules, [missing]: undefined } as never as typeof modules;
      expect(() => hookline(given, pipeline, { agent: 'guest' })).to.throw(`must contain ${missing} of ${module}`);
    });
  }

  it('reject unknown options and an invalid pipeline', () => {
    const options = { agent: 'guest', sesionId: 'a' } as never;
    expect(() => hookline(modules, pipeline, options)).to.throw('did you mean "sessionId"');
    expect(() => hookline(modules, {} as Pipeline, { agent: 'guest' })).to.throw('createPipeline');
  });

  it('require each other', () => {
    const agent = langchain.createAgent({ model: langchain.fakeModel() }) as unknown as Agent;
    expect(() => hookedAgent(agent)).to.throw('hookline(..)');
  });

  it('reject a model that is not a chat model, at run time', async () => {
    const { agent } = scene({
      turns: [],
      agent: { model: langchain.fakeModel().pipe((one: unknown) => one) as never },
    });
    const error = await rejection(agent.invoke(go, thread));
    expect(String(error)).to.include('hooks need a chat model');
  });

  it('repeat a retried model answer as one message', async () => {
    const again: HookDefinition = {
      name: 'again',
      on: { postReasoning: (event) => (event.attempt === 1 && event.iteration === 1 ? retry(event) : undefined) },
    };
    const { agent } = scene({ hooks: [again], turns: [{ chunks: ['First.'] }, { chunks: ['Second.'] }] });
    const stream = await agent.stream(go, { ...thread, streamMode: 'values' });
    await drain(stream);
    const { messages } = (await agent.graph.getState(thread)).values;
    expect(messages.map(({ content }) => content)).to.deep.equal(['Go!', 'Second.']);
  });
});

import { expect } from 'chai';
import {
  createAgent,
  createPipeline,
  defineHook,
  HookPriority,
  modify,
  type PipelineOptions,
  textOf,
  verdict,
} from 'hookline';
import { hookContract, recorder, scriptedModel, scriptedTool } from 'hookline/testing';
import { pino } from 'pino';
import { delay, of } from 'rxjs';
import { pause, stage } from './scene.ts';

const call = (name: string, input = {}) => ({ name, input });
const look = () => scriptedTool({ name: 'look', result: 'seen' });

describe('AgentScope chapter 16.7: best practice', () => {
  it('priorities: security, then validation, then business, then logging, in any order of registration', () => {
    const ran: string[] = [];
    const at = (name: string, priority: number) =>
      defineHook({
        name,
        priority,
        on: { preActing: () => void ran.push(name), postActing: () => void ran.push(name) },
      });
    const { run } = stage({
      turns: [{ toolCalls: [call('look')] }, 'ok'],
      tools: [look()],
      hooks: [
        at('logging', HookPriority.LOGGING),
        at('business', HookPriority.BUSINESS),
        at('security', HookPriority.SECURITY),
        at('validation', HookPriority.VALIDATION),
      ],
    });
    run();
    const order = ['security', 'validation', 'business', 'logging'];
    expect(ran).to.deep.equal([...order, ...order]);
  });

  it('priorities: a later hook receives the changes of an earlier one', () => {
    const add = (name: string, priority: number) =>
      defineHook({
        name,
        priority,
        on: {
          postActing: (event) =>
            modify(event, { result: { ...event.result, content: `${event.result.content} ${name}` } }),
        },
      });
    const { run, asked } = stage({
      turns: [{ toolCalls: [call('look')] }, 'ok'],
      tools: [look()],
      hooks: [add('third', 500), add('first', 10), add('second', 100)],
    });
    run();
    expect(asked(1).at(-1)).to.equal('tool: [seen first second third]');
  });

  it('priorities: an approver judges after every rewriter, even with a lower number', () => {
    const judged: unknown[] = [];
    const { run } = stage({
      turns: [{ toolCalls: [call('look', { at: 'a' })] }, 'ok'],
      tools: [look()],
      hooks: [
        defineHook({
          name: 'judge',
          priority: 1,
          approve: ({ toolCall }) => {
            judged.push(toolCall.input);
            return verdict.allow();
          },
        }),
        defineHook({
          name: 'rewriter',
          priority: 900,
          on: { preActing: (event) => modify(event, { toolCall: { ...event.toolCall, input: { at: 'b' } } }) },
        }),
      ],
    });
    run();
    expect(judged).to.deep.equal([{ at: 'b' }]);
  });

  it('idempotence: a hook that declares itself idempotent is verified', async () => {
    const strip = (change: (text: string) => string) =>
      defineHook({
        name: 'strip',
        idempotent: true,
        on: {
          postActing: (event) => modify(event, { result: { ...event.result, content: change(event.result.content) } }),
        },
      });
    expect((await hookContract(strip((text) => text.trim()))).issues).to.deep.equal([]);
    const issue = await hookContract(strip((text) => `${text}!`)).catch((thrown) => thrown);
    expect(issue).to.be.instanceOf(Error);
    expect(issue.message).to.include('idempotent');
  });

  it('non-blocking: a waiting hook does not delay other runs', async () => {
    const order: string[] = [];
    const slow = defineHook({
      name: 'slow',
      on: { preReasoning: ({ run }) => (run.sessionId === 'slow' ? of(undefined).pipe(delay(15)) : undefined) },
      observe: ({ type, run }) => type === 'postCall' && order.push(run.sessionId),
    });
    const { agent } = stage({ turns: ['one', 'two'], hooks: [slow] });
    await Promise.all([agent.call('a', { sessionId: 'slow' }), agent.call('b', { sessionId: 'quick' })]);
    expect(order).to.deep.equal(['quick', 'slow']);
  });

  it('non-blocking: an observer delays nothing, and flush() waits for it', async () => {
    const seen: string[] = [];
    const slow = defineHook({
      name: 'slow',
      observe: async ({ type }) => {
        await pause(2);
        seen.push(type);
      },
    });
    const { agent, run } = stage({ turns: ['ok'], hooks: [slow] });
    expect(run().post.outcome).to.equal('completed');
    expect(seen).to.be.empty;
    await agent.pipeline.flush();
    expect(seen).to.deep.equal([
      'preCall',
      'preReasoning',
      'reasoningChunk',
      'reasoningChunk',
      'postReasoning',
      'postCall',
    ]);
  });

  describe('error handling inside a hook', () => {
    const broken = (own: { onFailure?: 'skip' | 'block' }) =>
      defineHook({
        name: 'broken',
        ...own,
        on: {
          preReasoning() {
            throw new Error('no disk');
          },
        },
      });
    const logged = (): { settings: PipelineOptions; lines: { hook?: string; level: number }[] } => {
      const lines: { hook?: string; level: number }[] = [];
      return { lines, settings: { log: pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) }) } };
    };

    it('fails the run by default, with an error event and log line that name the hook', () => {
      const { settings, lines } = logged();
      const { of: typed, post } = stage({ turns: ['ok'], hooks: [broken({})], settings }).run();
      expect(post.outcome).to.equal('failed');
      expect(typed('error')[0]).to.deep.include({ source: 'hook', hook: 'broken' });
      expect(lines.map(({ hook, level }) => [hook, level])).to.deep.equal([['broken', 50]]);
    });

    it('does not affect the run if the hook may fail', () => {
      const { settings, lines } = logged();
      const { of: typed, post } = stage({ turns: ['ok'], hooks: [broken({ onFailure: 'skip' })], settings }).run();
      expect(textOf(post.message)).to.equal('ok');
      expect(typed('error')).to.have.length(1);
      expect(lines).to.have.length(1);
    });

    it('never passes on the failure of an observer', () => {
      const { settings, lines } = logged();
      const clumsy = defineHook({
        name: 'clumsy',
        observe: () => {
          throw new Error('oh');
        },
      });
      const { of: typed, post } = stage({ turns: ['ok'], hooks: [clumsy], settings }).run();
      expect(post.outcome).to.equal('completed');
      expect(typed('error')).to.be.empty;
      expect(lines).to.have.length(6);
    });
  });

  it('single purpose: hooks compose, each with its own code', () => {
    const seen = recorder();
    const upper = defineHook({
      name: 'upper',
      on: { reasoningChunk: (event) => modify(event, { delta: event.delta.toUpperCase() }) },
    });
    const noted = defineHook({
      name: 'noted',
      on: {
        postReasoning: (event) =>
          modify(event, {}, { note: { code: 'length', message: `${textOf(event.message).length}` } }),
      },
    });
    const agent = createAgent({
      name: 'MyAgent',
      model: scriptedModel(['hello']),
      pipeline: createPipeline([upper, noted, seen]),
    });
    agent.run('hi').subscribe();
    expect(seen.of('postReasoning')[0]?.notes).to.deep.equal([{ by: 'noted', code: 'length', message: '5' }]);
    expect(textOf(seen.of('postCall')[0]?.message)).to.equal('HELLO');
  });
});

import { expect } from 'chai';
import {
  accumulate,
  createAgent,
  defineHook,
  defineTool,
  type HookDefinition,
  type ModelChunk,
  modify,
  type RunInfo,
  retry,
} from 'hookline';
import { scriptedTool } from 'hookline/testing';
import { from } from 'rxjs';
import { z } from 'zod';
import { stage } from './scene.ts';

const call = (name: string, input = {}) => ({ name, input });
const look = () => scriptedTool({ name: 'look', result: 'seen' });
const acting = [{ toolCalls: [call('look')] }, 'done'];
const hook = (name: string, on: HookDefinition['on'], own: Partial<HookDefinition> = {}) =>
  defineHook({ name, ...(on && { on }), ...own });

describe('AgentScope conformance, cases 21 to 30: streams, usage, context', () => {
  it('21, 22: chunks of tool input contain the ID of their call, and accumulate by it', () => {
    const input = (toolCallId: string, delta: string): ModelChunk => ({ type: 'toolInput', toolCallId, delta });
    const whole = (id: string, n: number): ModelChunk => ({
      type: 'toolCall',
      toolCall: { id, name: 'look', input: { n } },
    });
    const chunks = [
      input('a', '{"n"'),
      input('b', '{"n":'),
      input('a', ':1}'),
      input('b', '2}'),
      whole('a', 1),
      whole('b', 2),
    ];
    const agent = createAgent({ name: 'MyAgent', model: () => from(chunks), tools: [look()], maxIterations: 1 });
    const texts = new Map<string | undefined, string>();
    agent
      .run('go')
      .pipe(accumulate())
      .subscribe((event) => {
        if (event.type === 'reasoningChunk') texts.set(event.toolCallId, event.accumulated);
      });
    expect([...texts]).to.deep.include.members([
      ['a', '{"n":1}'],
      ['b', '{"n":2}'],
    ]);
  });

  it('23: usage is in the message, and its total in the end event', () => {
    const usage = { inputTokens: 5, outputTokens: 2 };
    const { run } = stage({
      turns: [
        { toolCalls: [call('look')], usage },
        { text: 'done', usage },
      ],
      tools: [look()],
    });
    const { of, post } = run();
    expect(of('postReasoning').map((event) => event.usage)).to.deep.equal([usage, usage]);
    expect(post.usage).to.deep.equal({ inputTokens: 10, outputTokens: 4 });
  });

  it('24: thinking is streamed in increments, and accumulates separately from the text', () => {
    const model = () =>
      from(
        ['I think ', 'so']
          .map((delta): ModelChunk => ({ type: 'thinking', delta }))
          .concat({ type: 'text', delta: 'Yes' }),
      );
    const lines: string[] = [];
    createAgent({ name: 'MyAgent', model })
      .run('go')
      .pipe(accumulate())
      .subscribe((event) => {
        if (event.type === 'reasoningChunk' && !event.last)
          lines.push(`${event.part} ${event.delta} | ${event.accumulated}`);
      });
    expect(lines).to.deep.equal(['thinking I think  | I think ', 'thinking so | I think so', 'text Yes | Yes']);
  });

  it('25: a consumer filters by type, the result is last, and errors are in the stream', () => {
    const { events } = stage({ turns: ['ok'] }).run();
    expect(events.filter(({ type }) => type === 'postReasoning')).to.have.length(1);
    expect(events.at(-1)?.type).to.equal('postCall');
    const failed = stage({ turns: [{ error: 'quota' }] }).run();
    expect(failed.lines()).to.deep.equal([
      'preCall "go"',
      'preReasoning',
      'error reasoning model "quota"',
      'postCall failed (quota)',
    ]);
  });

  it('26: chunks of a tool reach hooks in order, with the ID of its call', () => {
    const seen: string[] = [];
    const tool = defineTool({
      name: 'look',
      description: '',
      inputSchema: z.looseObject({}),
      execute(_, { emit }) {
        for (const content of ['one', 'two', 'three']) void emit(content);
        return 'seen';
      },
    });
    const watch = hook('watch', {
      actingChunk: ({ toolCall, content }) => void seen.push(`${toolCall.id} ${content}`),
    });
    stage({ turns: acting, tools: [tool], hooks: [watch] }).run();
    expect(seen).to.deep.equal(['call_1 one', 'call_1 two', 'call_1 three', 'call_1 ']);
  });

  it('27: a failing chunk hook breaks neither the tool nor another hook', () => {
    const seen: string[] = [];
    const broken = hook(
      'broken',
      {
        actingChunk() {
          throw new Error('oh');
        },
      },
      { onFailure: 'skip' },
    );
    const watch = hook('watch', { actingChunk: ({ content }) => void seen.push(content) });
    const tool = scriptedTool({ name: 'look', chunks: ['a', 'b'], result: 'seen' });
    const { of, post } = stage({ turns: acting, tools: [tool], hooks: [broken, watch] }).run();
    expect(of('postActing')[0]?.result.content).to.equal('seen');
    expect(post.outcome).to.equal('completed');
    expect(seen).to.deep.equal(['a', 'b', '']);
  });

  it('28: beyond maxIterations a summary is requested and stored, and no call stays open', () => {
    const turns = [{ toolCalls: [call('look')] }, { text: 'the sum', toolCalls: [call('look')] }];
    const { run, remembered } = stage({ turns, tools: [look()], maxIterations: 1 });
    expect(run().post.outcome).to.equal('exhausted');
    expect(remembered()).to.deep.equal(['user: go', 'assistant: [look {}]', 'tool: [seen]', 'assistant: the sum']);
  });

  it('29: hook and tool share the context of the run, which ends with it', () => {
    const runs: RunInfo[] = [];
    const signals: AbortSignal[] = [];
    const tool = defineTool({
      name: 'look',
      description: '',
      inputSchema: z.looseObject({}),
      execute(_, { run, signal }) {
        runs.push(run);
        signals.push(signal);
        return 'seen';
      },
    });
    const watch = hook('watch', { preActing: (_, { run }) => void runs.push(run) });
    stage({ turns: acting, tools: [tool], hooks: [watch] }).run('go', { userId: 'ann', metadata: { tenant: 't1' } });
    expect(runs[0]).to.equal(runs[1]);
    expect(runs[0]).to.deep.include({ userId: 'ann', metadata: { tenant: 't1' } });
    expect(signals[0]?.aborted).to.equal(false);
  });

  it('30: toolChoice forces a structured answer on the reminder only, merged into the base options', () => {
    const remind = hook('remind', {
      postReasoning: (event) => (event.iteration === 1 ? retry(event, 'Answer with the tool.') : undefined),
      preReasoning: (event) =>
        event.iteration === 1
          ? undefined
          : modify(event, { options: { ...event.options, toolChoice: { tool: 'look' } } }),
    });
    const { run, model } = stage({
      turns: ['words', 'done'],
      tools: [look()],
      hooks: [remind],
      modelOptions: { temperature: 0 },
    });
    run();
    expect(model.requests.map(({ options }) => options)).to.deep.equal([
      { temperature: 0 },
      { temperature: 0, toolChoice: { tool: 'look' } },
    ]);
  });
});

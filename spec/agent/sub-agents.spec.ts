import { expect } from 'chai';
import fc from 'fast-check';
import { EMPTY, lastValueFrom, map } from 'rxjs';
import { z } from 'zod';
import { budget, loopGuard, permission, rateLimit, todo } from '../../lib/hooks/index.ts';
import {
  type Agent,
  abort,
  agentTool,
  createAgent,
  createPipeline,
  defineHook,
  defineTool,
  HooklineError,
  modify,
  type PostCall,
  type RunChild,
  textOf,
  verdict,
} from '../../lib/index.ts';
import { marbles, recorder, scriptedModel, scriptedTool } from '../../lib/testing/index.ts';
import { stage } from '../acceptance/scene.ts';
import { call, family, helperCall, rmCall } from './family.ts';

describe('a sub-agent', () => {
  it('streams inside its parent, with its own run and seq', () => {
    const { events, lines } = family({}).run();
    expect(lines()).to.deep.equal([
      'preCall "go"',
      'preReasoning',
      'postReasoning call_1 helper {"prompt":"help"}',
      'preActing call_1 helper {"prompt":"help"}',
      'helper: preCall "help"',
      'helper: preReasoning',
      'helper: postReasoning call_1 rm {"path":"a"}',
      'helper: preActing call_1 rm {"path":"a"}',
      'helper: postActing call_1 executed "gone"',
      'helper: preReasoning',
      'helper: reasoningChunk "helped"',
      'helper: reasoningChunk last',
      'helper: postReasoning "helped"',
      'helper: postCall completed "helped"',
      'postActing call_1 executed "helped"',
      'preReasoning',
      'reasoningChunk "ok"',
      'reasoningChunk last',
      'postReasoning "ok"',
      'postCall completed "ok"',
    ]);
    for (const depth of [0, 1]) {
      const own = events.filter(({ run }) => run.depth === depth);
      expect(own.map(({ seq }) => seq)).to.deep.equal(own.map((_, index) => index));
      expect(new Set(own.map(({ run }) => run.runId)).size).to.equal(1);
    }
  });

  it('names its agent, its parent and its own session', () => {
    const { events } = family({}).run('go', { userId: 'ann', metadata: { channel: 'mail' } });
    const [parent, child] = [0, 1].map((depth) => events.find(({ run }) => run.depth === depth)?.run);
    expect(child).to.deep.include({
      agent: 'helper',
      parentRunId: parent?.runId,
      userId: 'ann',
      metadata: { channel: 'mail' },
    });
    expect(child?.sessionId).not.to.equal(parent?.sessionId);
  });

  it('runs under its parent’s hooks, with any name that they match', () => {
    const guard = defineHook({ name: 'guard', match: { agents: ['helper'] }, approve: () => verdict.deny('not you') });
    const { run, rm } = family({ hooks: [guard] });
    expect(run().lines('postActing')).to.deep.equal([
      'helper: postActing call_1 denied "The call was denied by hook \\"guard\\": not you"',
      'postActing call_1 executed "helped"',
    ]);
    expect(rm.calls).to.be.empty;
  });

  it('also runs its own hooks: both of one name apply, a shared object once', () => {
    const ran: string[] = [];
    const named = (name: string, whose: string) =>
      defineHook({ name, on: { preCall: ({ run }) => void ran.push(`${whose} ${name} in ${run.agent}`) } });
    const shared = named('c', 'shared');
    const own = [named('a', 'child’s'), named('b', 'child’s'), shared];
    const { run, agent } = family({ hooks: [named('a', 'parent’s'), shared], own });
    run();
    expect(agent.pipeline.hooks.map(({ name }) => name)).to.deep.equal(['a', 'c']);
    expect(ran).to.deep.equal([
      ...['parent’s a in MyAgent', 'shared c in MyAgent'],
      ...['parent’s a in helper', 'shared c in helper', 'child’s a in helper', 'child’s b in helper'],
    ]);
  });

  it('keeps its own built-in guard, named after the agent, next to one of its parent', () => {
    const [strict, lax] = [permission({ deny: ['rm'] }), permission({ allow: ['*'] })];
    const { run, rm } = family({ hooks: [lax], own: [strict] });
    const denied = run()
      .of('preActing')
      .find(({ toolCall }) => toolCall.name === 'rm');
    expect(denied?.decision).to.include({ action: 'deny', by: 'helper/permission' });
    expect(rm.calls).to.be.empty;
  });

  it('keeps stateful built-in hooks separate from those of its parent', () => {
    const limit = { of: 'calls', max: 9 } as const;
    for (const make of [
      () => loopGuard(),
      () => rateLimit({ limits: [{ max: 1, windowMs: 60_000, tools: ['rm'] }] }),
      () => budget({ limits: [limit] }),
      () => todo(),
    ]) {
      const { run, rm } = family({ hooks: [make()], own: [make()] });
      const played = run();
      expect(
        played.of('postCall').map(({ outcome }) => outcome),
        make().name,
      ).to.deep.equal(['completed', 'completed']);
      expect(rm.calls, make().name).to.have.lengthOf(1);
    }
  });

  it('that runs itself keeps each of its hooks once', () => {
    const ran: string[] = [];
    const guard = (whose: string) =>
      defineHook({ name: 'guard', on: { preCall: ({ run }) => void ran.push(`${whose} at ${run.depth}`) } });
    const more = { toolCalls: [call('more')] };
    const again: { helper?: Agent } = {};
    const tool = toolWith('more', (child) => child(again.helper as Agent, 'go'));
    again.helper = createAgent({
      name: 'helper',
      model: scriptedModel([more, more, 'deep', 'less deep', 'done']),
      tools: [tool],
      pipeline: createPipeline([guard('own')]),
    });
    const tools = [agentTool(again.helper, { description: 'helps' })];
    stage({ turns: [helperCall, 'ok'], tools, hooks: [guard('parent’s')] }).run();
    expect(ran).to.deep.equal([
      'parent’s at 0',
      ...['parent’s at 1', 'own at 1', 'parent’s at 2', 'own at 2', 'parent’s at 3', 'own at 3'],
    ]);
  });

  it('uses the parent’s tool if hooks of both bring the same one', () => {
    const bringing = (result: string) =>
      defineHook({ name: 'brings', tools: [scriptedTool({ name: 'shared', result })], on: { preCall() {} } });
    const child = [{ toolCalls: [call('shared')] }, 'helped'];
    const { run } = family({ hooks: [bringing('parent’s')], own: [bringing('own')], child });
    expect(run().of('postActing')[0]?.result.content).to.equal('parent’s');
  });

  it("is denied a call that its own or its parent's guards deny, with any names", () => {
    const names = fc.array(fc.record({ name: fc.constantFrom('a', 'b'), denies: fc.boolean() }), { maxLength: 3 });
    const unique = (list: readonly { name: string; denies: boolean }[]) =>
      list.filter(({ name }, index) => list.findIndex((one) => one.name === name) === index);
    const guards = (list: readonly { name: string; denies: boolean }[]) =>
      unique(list).map(({ name, denies }) =>
        defineHook({ name, match: { tools: ['rm'] }, approve: () => (denies ? verdict.deny('no') : verdict.allow()) }),
      );
    fc.assert(
      fc.property(names, names, (parents, own) => {
        const { run, rm } = family({ hooks: guards(parents), own: guards(own) });
        run();
        const denied = [...unique(parents), ...unique(own)].some(({ denies }) => denies);
        expect(rm.calls.length).to.equal(denied ? 0 : 1);
      }),
    );
  });

  it('passes the trace to its own traced observers under an untraced parent', () => {
    const told: string[] = [];
    const watch = defineHook({
      name: 'watch',
      traced: true,
      observe: ({ type }, _, steps) =>
        void told.push(`${type} ${steps?.map(({ hook, effect }) => `${hook} ${effect}`)}`),
    });
    const guard = defineHook({ name: 'guard', approve: () => verdict.deny('not you') });
    const rewriter = defineHook({
      name: 'rewriter',
      on: { preReasoning: (event) => modify(event, { options: { temperature: 1 } }) },
    });
    family({ own: [watch, guard, rewriter] }).run();
    expect(told).to.include('preActing guard decided').and.to.include('preReasoning rewriter changed');
  });

  it('runs under hooks added between two runs, until they are removed', () => {
    const { run, rm, helper } = family({
      turns: [helperCall, 'ok', helperCall, 'ok', helperCall, 'ok'],
      child: [rmCall, 'a', rmCall, 'b', rmCall, 'c'],
    });
    const outcomes = () =>
      run()
        .of('postActing')
        .map(({ toolCall, outcome }) => `${toolCall.name} ${outcome}`);
    expect(outcomes()).to.deep.equal(['rm executed', 'helper executed']);
    const undo = helper.addHook(defineHook({ name: 'guard', approve: () => verdict.deny('not you') }));
    expect(outcomes()).to.deep.equal(['rm denied', 'helper executed']);
    undo();
    expect(outcomes()).to.deep.equal(['rm executed', 'helper executed']);
    expect(rm.calls).to.have.length(2);
  });

  it('runs under another pipeline if given', () => {
    const [mine, other] = [recorder('mine'), recorder('other')];
    const own = recorder('own');
    const pipeline = createPipeline([own]);
    const helper = createAgent({ name: 'helper', model: scriptedModel(['helped']), pipeline });
    const tool = toolWith('helper', (child) =>
      child(helper, 'go', { pipeline: createPipeline([other]), metadata: { apart: true } }),
    );
    const { run } = stage({ turns: [helperCall, 'ok'], tools: [tool], hooks: [mine] });
    const { events } = run();
    expect(other.of('preCall').map(({ run: { agent, metadata } }) => [agent, metadata])).to.deep.equal([
      ['helper', { apart: true }],
    ]);
    expect(mine.events.some(({ run: { depth } }) => depth === 1)).to.equal(false);
    expect(own.events).to.be.empty;
    expect(events.some(({ run: { depth } }) => depth === 1)).to.equal(true);
  });

  it('that aborts is an error result, and its parent continues', () => {
    const guard = defineHook({
      name: 'guard',
      match: { agents: ['helper'] },
      on: { preReasoning: (event) => abort(event, 'no budget') },
    });
    expect(
      family({ hooks: [guard] })
        .run()
        .lines('postActing', 'postCall'),
    ).to.deep.equal([
      'helper: postCall aborted (hook "guard": no budget)',
      'postActing call_1 executed isError "Agent \\"helper\\" ended aborted: hook \\"guard\\": no budget."',
      'postCall completed "ok"',
    ]);
  });

  it('that fails hides the error from its parent’s model but keeps it in the error event', () => {
    const thrown = 'db-password=hunter2';
    const { run, model } = family({ child: [{ error: thrown }] });
    const { events, of } = run();
    const runId = events.find(({ run: { depth } }) => depth === 1)?.run.runId;
    expect(of('postActing')[0]?.result).to.deep.equal({
      content: `Agent "helper" failed (run ${runId}).`,
      isError: true,
    });
    expect(of('error').map(({ error }) => error.message)).to.deep.equal([thrown]);
    expect(JSON.stringify(model.requests)).not.to.include(thrown);
  });

  it('is cancelled with its parent, at any depth', () => {
    marbles(({ agent, tool, at }) => {
      const seen = recorder();
      const rm = tool({ name: 'rm', never: true });
      const inner = agent({ name: 'inner', model: [rmCall], tools: [rm] });
      const outer = agent({
        name: 'outer',
        model: [{ toolCalls: [call('inner', { prompt: 'x' })] }],
        tools: [agentTool(inner, { description: '' })],
      });
      const parent = agent({
        model: [{ toolCalls: [call('outer', { prompt: 'x' })] }],
        tools: [agentTool(outer, { description: '' })],
        hooks: seen,
      });
      const subscription = parent.run('go').subscribe();
      at(5, () => subscription.unsubscribe());
      at(9, () => {
        expect(rm.calls.map(({ state }) => state)).to.deep.equal(['cancelled']);
        expect(seen.of('postCall').map(({ run: { depth }, outcome }) => `${depth} ${outcome}`)).to.deep.equal([
          '2 cancelled',
          '1 cancelled',
          '0 cancelled',
        ]);
      });
    });
  });

  it('has the depth of its call', () => {
    const inner = createAgent({ name: 'inner', model: scriptedModel(['deep']) });
    const outer = createAgent({
      name: 'outer',
      model: scriptedModel([{ toolCalls: [call('inner', { prompt: 'x' })] }, 'less deep']),
      tools: [agentTool(inner, { description: '' })],
    });
    const { events } = stage({
      turns: [{ toolCalls: [call('outer', { prompt: 'x' })] }, 'ok'],
      tools: [agentTool(outer, { description: '' })],
    }).run();
    const deepest = events.find(({ run }) => run.agent === 'inner')?.run;
    expect(deepest?.depth).to.equal(2);
    expect(deepest?.parentRunId).to.equal(events.find(({ run }) => run.agent === 'outer')?.run.runId);
  });

  it('may run in an async tool, and several times in one call', async () => {
    const helper = createAgent({ name: 'helper', model: scriptedModel(['one', 'two']) });
    const tool = defineTool({
      name: 'helper',
      description: '',
      inputSchema: z.looseObject({}),
      async execute(_, { child }) {
        const posts = [await lastValueFrom(child(helper, 'a')), await lastValueFrom(child(helper, 'b'))];
        return posts.map(({ message }) => textOf(message)).join(' ');
      },
    });
    const { agent, asked } = stage({ turns: [helperCall, 'ok'], tools: [tool] });
    expect((await agent.call('go')).outcome).to.equal('completed');
    expect(asked(1).at(-1)).to.equal('tool: [one two]');
  });

  it('of a hook is absent from stream and transcript and runs without that hook', () => {
    const judge = createAgent({ name: 'judge', model: scriptedModel(['fine']) });
    const ran: string[] = [];
    const judging = defineHook({
      name: 'judging',
      on: {
        postReasoning: (event, { child }) => {
          ran.push(event.run.agent);
          return child(judge, textOf(event.message)).pipe(map(() => event));
        },
      },
    });
    const { events } = stage({ turns: ['ok'], hooks: [judging] }).run();
    expect(events.every(({ run }) => run.depth === 0)).to.equal(true);
    expect(ran).to.deep.equal(['MyAgent']);
  });

  it('is rejected with a message if it is not an agent', () => {
    const tool = toolWith('helper', (child) => child({} as never, 'go'));
    const { of: typed } = stage({ turns: [helperCall, 'ok'], tools: [tool] }).run();
    expect(typed('postActing')[0]?.result.content).to.include('the first argument must be an agent');
  });

  it('is rejected with unknown options, which could be misspelled hooks', () => {
    const helper = createAgent({ name: 'helper', model: scriptedModel(['helped']) });
    for (const [options, told] of [
      [{ pipline: createPipeline([]) }, 'pipline'],
      [{ pipeline: [] }, 'createPipeline()'],
      [null, 'expected object'],
    ] as const) {
      const tool = toolWith('helper', (child) => child(helper, 'go', options as never));
      const { events, of: typed } = stage({ turns: [helperCall, 'ok'], tools: [tool] }).run();
      expect(typed('postActing')[0]?.result.content).to.include('child(agent, input, options)').and.include(told);
      expect(events.every(({ run }) => run.depth === 0)).to.equal(true);
    }
  });

  it('does not run from a child stored after the end of its call', async () => {
    for (const keeping of ['returns', 'fails'] as const) {
      const asked: unknown[] = [];
      const helper = createAgent({
        name: 'helper',
        model: () => {
          asked.push('asked');
          return EMPTY;
        },
      });
      let kept: RunChild | undefined;
      const tool = defineTool({
        name: 'keep',
        description: '',
        inputSchema: z.looseObject({}),
        execute(_, { child }) {
          kept = child;
          if (keeping === 'fails') throw new Error('no');
          return 'kept';
        },
      });
      const lines: unknown[] = [];
      const write = (fields: object | string, message?: string) => void lines.push(message ?? fields);
      const log = { debug: write, info: write, warn: write, error: write };
      const run = createPipeline([], { log }).start({ agent: 'a' });
      await lastValueFrom(run.act({ id: 'c', name: 'keep', input: {} }, [tool]));
      const posts: unknown[] = [];
      await new Promise<void>((resolve) =>
        kept?.(helper, 'go').subscribe({ next: (post) => posts.push(post), complete: resolve }),
      );
      expect({ asked, posts }).to.deep.equal({ asked: [], posts: [] });
      expect(lines).to.deep.equal(['a tool started a sub-agent after the end of its call; nothing was run']);
    }
  });

  it('requires a description and an agent to be offered', () => {
    const helper = createAgent({ name: 'helper', model: scriptedModel([]) });
    const offer = agentTool as (...args: unknown[]) => unknown;
    const wrong: [unknown[], RegExp][] = [
      [[helper], /agentTool\(\).*object/],
      [[helper, {}], /agentTool\(\)[\s\S]*description/],
      [[helper, { description: '', permision: 'read' }], /agentTool\(\).*permision/],
      [[{ name: 'helper' }, { description: '' }], /agentTool\(\): the first argument must be an agent/],
      [[], /agentTool\(\): the first argument must be an agent/],
    ];
    for (const [args, message] of wrong)
      expect(() => offer(...args))
        .to.throw(HooklineError, message)
        .with.property('code', 'OPTIONS_INVALID');
  });
});

function toolWith(name: string, run: (child: RunChild) => ReturnType<RunChild>) {
  return defineTool({
    name,
    description: '',
    inputSchema: z.looseObject({}),
    execute: (_, { child }) =>
      run(child).pipe(map((post: PostCall) => ({ content: textOf(post.message), isError: false }))),
  });
}

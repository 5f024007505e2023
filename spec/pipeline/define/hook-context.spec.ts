import { expect } from 'chai';
import { concatMap, firstValueFrom, from, lastValueFrom, map, mergeMap, NEVER, of, throwError, timer } from 'rxjs';
import { z } from 'zod';
import {
  createAgent,
  createPipeline,
  defineHook,
  defineTool,
  type HookContext,
  type HookDefinition,
  type Model,
  modify,
  verdict,
} from '../../../lib/index.ts';

const nothing = () => {};
const silent = { debug: nothing, info: nothing, warn: nothing, error: nothing };

const MEMBERS = [
  'ask',
  'askedUsage',
  'child',
  'dryRun',
  'log',
  'mayRead',
  'run',
  'scheduler',
  'seal',
  'signal',
  'state',
  'transcript',
];

/** All names reachable from a value: its own and those of its prototypes. */
function namesOf(value: object): string[] {
  const names: string[] = [];
  for (let at: object | null = value; at && at !== Object.prototype; at = Object.getPrototypeOf(at))
    names.push(...Object.getOwnPropertyNames(at), ...Object.getOwnPropertySymbols(at).map(String));
  return names;
}

async function contextsOf(): Promise<{ part: string; context: HookContext }[]> {
  const seen: { part: string; context: HookContext }[] = [];
  const keep = <T>(part: string, context: HookContext, given?: T): T => {
    seen.push({ part, context });
    return given as T;
  };
  const definition: HookDefinition = {
    name: 'curious',
    on: (event, context) => keep(`on.${event.type}`, context),
    around: { acting: (_event, next, context) => keep('around', context, next()) },
    through: { actingChunk: (chunks$, context) => keep('through', context, chunks$) },
    approve: (_event, context) => keep('approve', context, { verdict: 'approved' }),
    observe: (event, context) => keep(`observe.${event.type}`, context),
  };
  const tool = defineTool({
    name: 'look',
    description: '',
    inputSchema: z.object({}),
    execute: (_input, { emit }) => void emit('x'),
  });
  const run = createPipeline([defineHook(definition)]).start({ agent: 'a' });
  await lastValueFrom(run.act({ id: 'c', name: 'look', input: {} }, [tool]));
  return seen;
}

describe('the context of a hook', () => {
  it('is a plain object with only its own fields, in every part of a hook', async () => {
    const seen = await contextsOf();
    expect(new Set(seen.map(({ part }) => part.split('.')[0]))).to.include.keys([
      'on',
      'around',
      'through',
      'approve',
      'observe',
    ]);
    for (const { context } of seen) {
      expect(
        namesOf(context)
          .filter((name) => name !== 'constructor')
          .sort(),
      ).to.deep.equal(MEMBERS);
    }
  });

  it('can be spread and destructured', async () => {
    const context = (await contextsOf())[0]?.context as HookContext;
    const spread = { ...context };
    expect(Object.keys(spread).sort()).to.deep.equal(MEMBERS);
    const { run, state, signal } = spread;
    expect(run).to.equal(context.run);
    expect(signal).to.be.instanceOf(AbortSignal);
    expect(typeof state).to.equal('function');
  });

  it('does not share sealed values between hooks', async () => {
    const got: unknown[] = [];
    const sealing = defineHook({
      name: 'auth',
      priority: 1,
      on: {
        preActing: (event, { seal }) =>
          modify(event, { toolCall: { ...event.toolCall, input: { token: seal('token', 'Hunter2xyz') } } }),
      },
    });
    const thief = defineHook({
      name: 'thief',
      on: {
        preActing(event, context) {
          const reach = context as unknown as Record<string, { open?: (input: unknown) => unknown } | undefined>;
          for (const name of namesOf(context)) got.push(reach[name]?.open?.(event.toolCall.input));
        },
      },
    });
    const opened: string[] = [];
    const tool = defineTool({
      name: 'login',
      description: '',
      inputSchema: z.object({ token: z.string() }),
      execute({ token }) {
        opened.push(token);
        return 'done';
      },
    });
    const run = createPipeline([sealing, thief]).start({ agent: 'a' });
    await lastValueFrom(run.act({ id: 'c', name: 'login', input: {} }, [tool]));
    expect(opened).to.deep.equal(['Hunter2xyz']);
    expect(got.filter((value) => value !== undefined)).to.deep.equal([]);
  });
});

describe('a stored context', () => {
  const quiet = (lines: unknown[] = []) => {
    const log = (fields: object | string, message?: string) => void lines.push(message ?? fields);
    return { debug: log, info: log, warn: log, error: log };
  };
  function counting(delayMs = 0) {
    const model = () => {
      const answer$ = of({ type: 'text', delta: 'x' } as const);
      return (delayMs > 0 ? timer(delayMs) : of(0)).pipe(
        mergeMap(() => {
          counted.asked += 1;
          return answer$;
        }),
      );
    };
    const counted = { asked: 0, model, agent: createAgent({ name: 'sub', model }) };
    return counted;
  }

  it('asks no model and runs no agent after the end of its run, and logs it', async () => {
    const kept: HookContext[] = [];
    const lines: unknown[] = [];
    const hook = defineHook({ name: 'keeper', on: (_event, context) => void kept.push(context) });
    const { model } = counting();
    const pipeline = createPipeline([hook], { log: quiet(lines) });
    await createAgent({ name: 'a', model, pipeline }).call('hi');
    const late = counting();
    for (const { ask, child } of kept) {
      expect(
        await lastValueFrom(ask({ messages: ['x'] }, { model: late.model }), { defaultValue: 'nothing' }),
      ).to.equal('nothing');
      expect(await lastValueFrom(child(late.agent, 'x'), { defaultValue: 'nothing' })).to.equal('nothing');
    }
    expect(kept).not.to.have.length(0);
    expect(late.asked).to.equal(0);
    expect(new Set(lines)).to.deep.equal(
      new Set(['a hook used its context after the end of the run; nothing was run']),
    );
  });

  it('stays usable in an observer of the end, at once or later', async () => {
    const { model, agent } = counting();
    const answers: unknown[] = [];
    const hook = defineHook({
      name: 'judge',
      async observe(event, { ask, child }) {
        if (event.type !== 'postCall') return;
        answers.push((await firstValueFrom(ask({ messages: ['x'] }, { model }))).finishReason);
        answers.push((await firstValueFrom(child(agent, 'x'))).outcome);
      },
    });
    const pipeline = createPipeline([hook], { log: quiet() });
    await createAgent({ name: 'a', model, pipeline }).call('hi');
    await pipeline.flush();
    expect(answers).to.deep.equal(['stop', 'completed']);
  });

  it('ends the sub-agent of a late handler', async () => {
    const slow = counting(40);
    const hook = defineHook({
      name: 'late',
      timeoutMs: 10,
      onFailure: 'skip',
      on: { preCall: async (_event, { child }) => void (await lastValueFrom(child(slow.agent, 'x'))) },
    });
    const { model } = counting();
    const pipeline = createPipeline([hook], { log: quiet() });
    const post = await createAgent({ name: 'a', model, pipeline }).call('hi');
    await firstValueFrom(timer(60));
    expect(post.outcome).to.equal('completed');
    expect(slow.asked).to.equal(0);
  });

  it('ends unawaited work of a tool with the call', async () => {
    const slow = counting(20);
    const tool = defineTool({
      name: 'forget',
      description: '',
      inputSchema: z.object({}),
      execute: (_input, { child }) => {
        child(slow.agent, 'x').subscribe();
        return 'begun';
      },
    });
    const heard: string[] = [];
    const run = createPipeline([]).start({ agent: 'a' });
    await lastValueFrom(
      run
        .act({ id: 'c', name: 'forget', input: {} }, [tool])
        .pipe(map((event) => void heard.push(event.type === 'postCall' ? event.outcome : event.type))),
    );
    await firstValueFrom(timer(40));
    expect(slow.asked).to.equal(0);
    expect(heard).to.include.members(['postActing', 'cancelled']);
  });
});

describe('the context of an asynchronous handler', () => {
  const parts: Record<string, (use: <T>(context: HookContext, given: T) => Promise<T>) => Partial<HookDefinition>> = {
    on: (use) => ({ on: { preActing: (_, context) => use(context, undefined) } }),
    'on of chunks': (use) => ({ on: { actingChunk: (_, context) => use(context, undefined) } }),
    'failing on': (use) => ({
      onFailure: 'skip',
      on: {
        postActing: (_, context) =>
          from(use(context, undefined)).pipe(mergeMap(() => throwError(() => new Error('no')))),
      },
    }),
    approve: (use) => ({ approve: (_, context) => use(context, verdict.allow()) }),
    observe: (use) => ({ observe: (_, context) => use(context, undefined) }),
    around: (use) => ({ around: { acting: (_, next, context) => from(use(context, 0)).pipe(mergeMap(() => next())) } }),
    through: (use) => ({
      through: { actingChunk: (chunks$, context) => chunks$.pipe(concatMap((chunk) => use(context, chunk))) },
    }),
  };
  for (const [part, definition] of Object.entries(parts)) {
    it(`ends with it: ${part}`, async () => {
      const signals: AbortSignal[] = [];
      const whenRead: boolean[] = [];
      const asked: AbortSignal[] = [];
      const ends: string[] = [];
      const model: Model = (_, { signal }) => {
        asked.push(signal);
        return NEVER;
      };
      const use = async <T>(context: HookContext, given: T): Promise<T> => {
        signals.push(context.signal);
        context.ask({ messages: ['?'] }, { model }).subscribe({ error: ({ name }) => ends.push(name) });
        await null;
        whenRead.push(context.signal.aborted);
        return given;
      };
      const pipeline = createPipeline([defineHook({ name: 'a', ...definition(use) })], {
        log: silent,
      });
      const run = pipeline.start({ agent: 'a' });
      const tool = defineTool({
        name: 'look',
        description: '',
        inputSchema: z.object({}),
        execute: (_, { emit }) => emit('x'),
      });
      await lastValueFrom(run.act({ id: 'c', name: 'look', input: {} }, [tool]));
      await pipeline.flush();
      expect(signals).not.to.be.empty;
      expect(whenRead).to.deep.equal(signals.map(() => false));
      expect(signals.map(({ aborted }) => aborted)).to.deep.equal(signals.map(() => true));
      expect(asked.map(({ aborted }) => aborted)).to.deep.equal(signals.map(() => true));
      expect(ends).to.deep.equal(signals.map(() => 'AbortError'));
    });
  }
});

import { expect } from 'chai';
import { concat, from, identity, lastValueFrom, mergeMap, NEVER, Observable, of, timer, toArray } from 'rxjs';
import { z } from 'zod';
import {
  type AgentOptions,
  type AgentRunOptions,
  abort,
  createAgent,
  createPipeline,
  defineHook,
  defineState,
  defineTool,
  eventTypes,
  type Hook,
  type HookContext,
  type HookDefinition,
  type HookEvent,
  holdBack,
  type ModelChunk,
  memoryTranscript,
  modify,
  type PipelineOptions,
  type RunOptions,
  type SettledEvent,
  toolCallsOf,
  userMessage,
  verdict,
} from '../../../lib/index.ts';
import { givenFunctions } from './given-functions.ts';
import { within } from './misbehaving.ts';

/** The ways a function misbehaves. `neutral` is its regular result. */
const ways: Record<string, (neutral: () => unknown) => unknown> = {
  throws: () => {
    throw new Error('given');
  },
  rejects: () => Promise.reject(new Error('given')),
  'never settles': () => new Promise(() => {}),
  'fails as an Observable': () => timer(1).pipe(mergeMap(() => Promise.reject(new Error('given')))),
  'is a silent Observable': () => NEVER,
  'answers late': (neutral) => new Promise((resolve) => setTimeout(() => resolve(neutral()), 12)),
};

/** A function under test: it misbehaves until `tame` is set. */
type Given = <T>(neutral: T | (() => T)) => T;

interface World {
  readonly hook?: Partial<HookDefinition>;
  readonly pipeline?: PipelineOptions;
  readonly agent?: Partial<AgentOptions>;
  readonly run?: AgentRunOptions;
  /** For a run whose phases the caller composes. */
  readonly bare?: Partial<RunOptions>;
  /** The execute function of a tool. */
  readonly execute?: (context: Parameters<Parameters<typeof defineTool>[0]['execute']>[1]) => unknown;
}

const done = { content: 'x', isError: false, forUser: 'Look', handled: true, media: [{ url: 'media://7' }] };
const fails = (): never => {
  throw new Error('a text to redact');
};
const asText = (text: string): string => text;
const log = { debug() {}, info() {}, warn() {}, error() {} };
const chunk = (delta: string): ModelChunk => ({ type: 'text', delta });
const on = (type: string, given: Given): World => ({ hook: { on: { [type]: () => given(undefined) } } });
/** One handler for every event. */
const everywhere = (handle: (event: HookEvent, context: HookContext) => unknown): World => ({
  hook: { on: handle as never },
});
const transcript = (method: 'load' | 'append' | 'truncate', given: Given): World => {
  const memory = memoryTranscript();
  const own = (...args: readonly never[]) => given(() => (memory[method] as (...rest: never[]) => unknown)(...args));
  // The rolled back messages were written, so the store truncates.
  const rollBack: HookDefinition['on'] = {
    postReasoning: (event) =>
      toolCallsOf(event.message).length === 0 ? abort(event, 'Away', { rollback: true }) : undefined,
  };
  const hook = method === 'truncate' ? { hook: { on: rollBack } } : {};
  return { agent: { transcript: { ...memory, [method]: own } }, ...hook };
};
const schema = (own: object): World => ({
  agent: { tools: [tool({ '~standard': { version: 1, vendor: 'v', ...own } } as never, () => done)] },
});

/** One function from hosts or authors of hooks each, by the names that `givenFunctions` finds in the types. */
const cases: Record<string, (given: Given) => World> = {
  'AgentOptions.deliver': (given) => ({ agent: { deliver: () => given(undefined) } }),
  'AgentOptions.model': (given) => ({ agent: { model: () => given(() => of(chunk('x'))) } }),
  'AgentRunOptions.interrupt$': (given) => ({ run: { interrupt$: stream(given) } }),
  'AgentRunOptions.steering$': (given) => ({ run: { steering$: stream(given) } }),
  'RunWatcher.watch': (given) => ({ agent: { runs: { watch: () => given(undefined) as undefined } } }),
  'AskOptions.model': (given) =>
    everywhere(({ type }, context) =>
      type === 'preReasoning'
        ? context
            .ask({ messages: ['?'] } as never, { model: () => given(() => of(chunk('y'))) })
            .pipe(mergeMap(() => []))
        : undefined,
    ),
  'ChildAgent.runChild': (given) => ({
    execute: ({ child }) => child({ name: 'child', runChild: () => given(() => of()) } as never, 'go'),
  }),
  'ChunkOperators.actingChunk': (given) => ({ hook: { through: { actingChunk: (chunks$) => given(() => chunks$) } } }),
  'ChunkOperators.reasoningChunk': (given) => ({
    hook: { through: { reasoningChunk: (chunks$) => given(() => chunks$) } },
  }),
  ...Object.fromEntries(
    eventTypes.map((type) => [
      `Handlers.${type}`,
      (given: Given) => ({ ...on(type, given), ...(type === 'error' && { execute: fails }) }),
    ]),
  ),
  'HookDefinition.approve': (given) => ({ hook: { approve: () => given(verdict.allow()) } }),
  'HookDefinition.observe': (given) => ({ hook: { observe: () => given(undefined) } }),
  'HookDefinition.on': (given) => everywhere(() => given(undefined)),
  'HookDefinition.redact': (given) => ({
    hook: { redact: (text) => given(text), on: { error: () => undefined } },
    execute: fails,
  }),
  'HookDefinition.traced.values': (given) => ({
    hook: { observe() {}, traced: { values: (text) => given(text) }, ...changing },
  }),
  'Logger.child': (given) => ({ pipeline: { log: { ...log, child: () => given(log) } } }),
  ...Object.fromEntries(
    (['debug', 'info', 'warn', 'error'] as const).map((level) => [
      `Logger.${level}`,
      (given: Given): World => ({ pipeline: { log: { ...log, [level]: () => given(undefined) } } }),
    ]),
  ),
  'MediaStore.resolve': (given) => ({
    agent: { deliver: () => {}, mediaStore: { resolve: () => given({ url: 'https://x' }) as never } },
  }),
  'PipelineOptions.models': (given) => ({
    pipeline: { models: { m: () => given(() => of(chunk('y'))) } },
    ...everywhere(({ type }, context) =>
      type === 'preReasoning'
        ? context.ask({ messages: ['?'] } as never, { model: 'm' }).pipe(mergeMap(() => []))
        : undefined,
    ),
  }),
  'PipelineOptions.newId': (given) => ({ pipeline: { newId: () => given(() => crypto.randomUUID()) } }),
  'PipelineOptions.trace.values': (given) => ({
    pipeline: { trace: { values: (text) => given(text) } },
    hook: changing,
  }),
  'RunOptions.deliver': (given) => ({ bare: { deliver: () => given(undefined) } }),
  'RunOptions.model': (given) => ({
    bare: { model: () => given(() => of(chunk('x'))) },
    ...everywhere(({ type }, context) =>
      type === 'preCall' ? context.ask({ messages: ['?'] } as never).pipe(mergeMap(() => [])) : undefined,
    ),
  }),
  'RunOptions.transcript': (given) => ({ bare: { transcript: () => given([]) } }),
  'StandardSchema.~standard.jsonSchema.input': (given) =>
    schema({ validate: (value: unknown) => ({ value }), jsonSchema: { input: () => given({ type: 'object' }) } }),
  'StandardSchema.~standard.validate': (given) =>
    schema({
      validate: (value: unknown) => given(() => ({ value })),
      jsonSchema: { input: () => ({ type: 'object' }) },
    }),
  'StateKey.initial': (given) => {
    const key = defineState({ name: 'n', schema: z.any(), initial: () => given(1) });
    return everywhere((_, context) => void context.state(key).get());
  },
  'Tool.execute': (given) => ({ execute: () => given(() => done) }),
  'TranscriptStore.append': (given) => transcript('append', given),
  'TranscriptStore.load': (given) => transcript('load', given),
  'TranscriptStore.truncate': (given) => transcript('truncate', given),
  'TranscriptStore.turn': (given) => ({
    agent: { transcript: { ...memoryTranscript(), turn: () => given(() => of(() => {})) } },
  }),
  'Wrappers.acting': (given) => ({ hook: { around: { acting: (_, next) => given(next) } } }),
  'Wrappers.reasoning': (given) => ({ hook: { around: { reasoning: (_, next) => given(() => next()) } } }),
  'holdBack(scan)': (given) => ({
    hook: { through: { reasoningChunk: holdBack((text: string) => given({ release: text.length, text } as never)) } },
  }),
};

/** Functions that are not part of a run, with the reason. */
const elsewhere: Record<string, string> = {
  'Agent.recover(journal)': 'is read before the run starts (spec/agent/recover/recover.spec.ts)',
  'RecoverOptions.interrupt$': 'is the one of AgentRunOptions',
  'RecoverOptions.signal': 'is the one of AgentRunOptions',
  'RecoverOptions.steering$': 'is the one of AgentRunOptions',
  'AgentRunOptions.signal': 'is the platform’s: what its listeners throw is told by the process',
  'HookDefinition.denies': 'is asked where tools are listed (spec/adapters/mcp/proxy/shown-tools.spec.ts)',
  'PipelineOptions.scheduler': 'is the clock itself: without one nothing can be bounded',
  'TranscriptStore.begin': 'is called by a server before a run (spec/nats/local-sessions.spec.ts)',
  'toAsyncIterable(source$)': 'reads a run from outside; what it fails with its reader gets',
};

const changing: Partial<HookDefinition> = {
  on: { preReasoning: (event) => modify(event, { messages: [...event.messages, { ...event.messages[0] } as never] }) },
};

function stream(given: Given): Observable<never> {
  return new Observable((subscriber) => {
    const answer = given(undefined) as unknown;
    const source = answer instanceof Observable ? answer : from(Promise.resolve(answer));
    return source.pipe(mergeMap(() => [])).subscribe(subscriber as never);
  });
}

function tool(inputSchema: z.ZodType, execute: (context: never) => unknown) {
  return defineTool({
    name: 't',
    description: '',
    permission: 'read',
    inputSchema,
    execute: (_input, context) => {
      void context.emit('..');
      return execute(context as never) as never;
    },
  });
}

/** A faultless hook with all parts. Its observed events are kept. */
const bystander = (observed: SettledEvent[]): Hook =>
  defineHook({
    name: 'bystander',
    priority: 90,
    on: (_, context) => {
      void context.transcript.length;
      for (const level of ['debug', 'info', 'warn', 'error'] as const) context.log[level]({ level }, 'seen');
    },
    through: { reasoningChunk: identity, actingChunk: identity },
    around: { reasoning: (_, next) => next(), acting: (_, next) => next() },
    approve: () => verdict.allow(),
    observe: (event) => void observed.push(event),
    redact: asText,
  });

/** An agent that calls `t` once and answers, with one misbehaving function. */
function play(name: string, misbehave: (neutral: () => unknown) => unknown) {
  let tame = false;
  let called = 0;
  const watchers = { observed: [], published: [], traced: [] } as Record<
    'observed' | 'published' | 'traced',
    SettledEvent[]
  >;
  const given: Given = (neutral) => {
    called += 1;
    const usual = typeof neutral === 'function' ? (neutral as () => unknown) : () => neutral;
    return (tame ? usual() : misbehave(usual)) as never;
  };
  const blamed: string[] = [];
  const world = cases[name]?.(given) as World;
  const own = { name: 'given', timeoutMs: 25, ...(world.hook ?? { observe() {} }) };
  const error = (fields: object | string, message?: string): void => {
    if (message !== 'seen') blamed.push(String((fields as { hook?: string }).hook));
  };
  const pipeline = createPipeline([defineHook(own), bystander(watchers.observed)], {
    log: { ...log, error },
    portTimeoutMs: 25,
    trace: true,
    ...world.pipeline,
  });
  pipeline.events$.subscribe((event) => void watchers.published.push(event));
  pipeline.traces$.subscribe((report) => {
    // The fields of the steps are computed on access.
    for (const step of report.steps) expect(step.hook).to.be.a('string');
    watchers.traced.push(report.event);
  });
  let asked = 0;
  const agent = createAgent({
    name: 'a',
    model: () => {
      asked += 1;
      return from<ModelChunk[]>(
        asked % 2 === 1 ? [{ type: 'toolCall', toolCall: { id: `c${asked}`, name: 't', input: {} } }] : [chunk('done')],
      );
    },
    tools: [tool(z.object({}), (context) => (world.execute ? world.execute(context) : done))],
    deliver: () => {},
    pipeline,
    ...world.agent,
  });
  const bare = (own: Partial<RunOptions>): Observable<SettledEvent> => {
    const run = pipeline.start({ agent: 'a', ...own });
    return concat(
      run.begin([userMessage('go')]),
      run.reason({ messages: [userMessage('go')] }, () => of(chunk('x'))),
      run.act({ id: 'c', name: 't', input: {} }, [tool(z.object({}), () => done)]),
      run.end({ outcome: 'completed' }),
    );
  };
  const events = (options: AgentRunOptions): Promise<SettledEvent[]> =>
    lastValueFrom((world.bare ? bare(world.bare) : agent.run('go', { sessionId: 's', ...options })).pipe(toArray()), {
      defaultValue: [],
    });
  return {
    pipeline,
    blamed,
    watchers,
    called: () => called,
    run: () => events({ signal: AbortSignal.timeout(150), ...world.run }),
    again() {
      tame = true;
      return events({});
    },
  };
}

/** Checks the invariants of any run. */
function check(events: readonly SettledEvent[], told: string): void {
  expect(
    events.map(({ seq }) => seq),
    `${told}: the numbers`,
  ).to.deep.equal(events.map((_, place) => place));
  expect(
    events.filter(({ type }) => type === 'postCall'),
    `${told}: ends`,
  ).to.have.length(1);
  expect(events.at(-1)?.type, `${told}: the end`).to.equal('postCall');
  // The composer of the phases names the calls.
  const composed = events.some((event) => 'toolCall' in event && event.toolCall?.id === 'c');
  const calls = events.flatMap((event) =>
    event.type === 'postReasoning'
      ? event.message.parts.flatMap((part) => (part.type === 'toolCall' ? [part.toolCall.id] : []))
      : [],
  );
  const results = events.flatMap((event) => (event.type === 'postActing' ? [event.toolCall.id] : []));
  if (!composed) expect([...results].sort(), `${told}: one result for each call`).to.deep.equal([...calls].sort());
  for (const event of events) if (event.type === 'error') expect(event.hook ?? 'given', told).to.equal('given');
  const by = events.flatMap((event) => (event.decision as { by?: string } | undefined)?.by ?? []);
  expect(by, `${told}: decisions`).not.to.include('bystander');
}

describe('functions given by hosts and authors of hooks', () => {
  const rejections: unknown[] = [];
  const keep = (reason: unknown) => void rejections.push(reason);
  before(() => process.on('unhandledRejection', keep));
  after(() => process.off('unhandledRejection', keep));

  it('have a case here for each of the public types', () => {
    const known = [...Object.keys(cases), ...Object.keys(elsewhere)].sort();
    const found = givenFunctions();
    expect(
      found.filter((name) => !known.includes(name)),
      'functions without a case',
    ).to.deep.equal([]);
    expect(
      known.filter((name) => !found.includes(name)),
      'cases without a function',
    ).to.deep.equal([]);
  });

  for (const name of Object.keys(cases)) {
    for (const [how, misbehave] of Object.entries(ways)) {
      it(`${name} ${how}: ends the run once, loses nothing and reports no other hook`, async () => {
        const told = `${name} ${how}`;
        let played: ReturnType<typeof play>;
        try {
          played = play(name, misbehave);
        } catch (thrown) {
          // Functions called at the construction of agent and pipeline are rejected there.
          expect((thrown as Error).name).to.equal('HooklineError');
          return;
        }
        let events: SettledEvent[];
        try {
          events = await within(played.run(), told);
        } catch (thrown) {
          // Without an id no run can end.
          expect([name, (thrown as Error).message.replace(/^.*runId.*$/s, 'given')]).to.deep.equal([
            'PipelineOptions.newId',
            'given',
          ]);
          events = [];
        }
        if (events.length > 0 || name !== 'PipelineOptions.newId') check(events, told);
        expect(played.blamed, `${told}: log`).not.to.include('bystander');
        const again = await within(played.again(), `${told}, again`);
        expect(again.at(-1)?.type, `${told}: the session is free`).to.equal('postCall');
        await within(played.pipeline.flush(), `${told}, flush`);
        await new Promise((resolve) => setTimeout(resolve, 2));
        expect(rejections.splice(0), told).to.deep.equal([]);
        expect(played.called(), `${told}: calls of the function`).to.be.greaterThan(0);
        for (const [watcher, seen] of Object.entries(played.watchers))
          for (const run of [events, again]) {
            const own = seen.filter((event) => event.run.runId === run[0]?.run.runId);
            expect(
              own.map(({ seq }) => seq),
              `${told}: ${watcher}`,
            ).to.deep.equal(run.map(({ seq }) => seq));
          }
      });
    }
  }
});

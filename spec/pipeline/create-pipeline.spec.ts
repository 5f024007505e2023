import { expect } from 'chai';
import { NEVER, Subject } from 'rxjs';
import type { SettledEvent } from '../../lib/events/hook-event.ts';
import { userMessage } from '../../lib/events/parts/messages.ts';
import { createPipeline } from '../../lib/pipeline/create-pipeline.ts';
import { defineHook, isHook } from '../../lib/pipeline/define/define-hook.ts';
import { type HookDefinition, type HookMatch, HookPriority } from '../../lib/pipeline/define/hook.ts';
import { createMatcher } from '../../lib/pipeline/define/matcher.ts';
import type { Tool } from '../../lib/pipeline/define/tool.ts';
import { callOf, hear, modelOf, request, start, toolOf } from './scene.ts';

const named = (name: string, own: Partial<HookDefinition> = {}) => defineHook({ name, on: {}, ...own });

describe('defineHook', () => {
  it('sets the default priority and policy, and freezes', () => {
    const hook = named('a');
    expect(hook).to.include({ priority: 100, onFailure: 'block' });
    expect(Object.isFrozen(hook)).to.equal(true);
    expect([isHook(hook), isHook({ ...hook }), isHook({ name: 'a', on: {} }), isHook(null)]).to.deep.equal([
      true,
      true,
      false,
      false,
    ]);
  });

  const wrong: Record<string, [object | undefined, RegExp]> = {
    'no definition': [undefined, /Hook without a name/],
    'no name': [{ on: {} }, /Hook without a name.*name/s],
    'an empty name': [{ name: '', on: {} }, /must not be empty/],
    '`denies` without `approve`': [{ name: 'a', denies: () => true, on: {} }, /denies predicts "approve"/],
    'nothing to do': [{ name: 'a' }, /"a": it does nothing/],
    'an unknown field': [{ name: 'a', on: {}, before: 1 }, /before/],
    'a handler of an event that does not exist': [{ name: 'a', on: { preParty: () => {} } }, /preParty/],
    'a handler that is not a function': [{ name: 'a', on: { preCall: 1 } }, /must be a function.*on\.preCall/s],
    'operators on an event other than a chunk': [{ name: 'a', through: { preCall: () => {} } }, /preCall/],
    'a wrapper of an unknown step': [{ name: 'a', around: { call: () => {} } }, /call/],
    'a NaN priority': [{ name: 'a', on: {}, priority: Number.NaN }, /priority/],
    'an infinite priority': [{ name: 'a', on: {}, priority: Number.POSITIVE_INFINITY }, /priority/],
    'an unknown policy': [{ name: 'a', on: {}, failure: 'ajar' }, /failure/],
    'a timeout of 0 ms': [{ name: 'a', on: {}, timeoutMs: 0 }, /timeoutMs/],
    'an unknown permission': [{ name: 'a', on: {}, match: { permissions: ['root'] } }, /permissions/],
    'a pattern that is not a string': [{ name: 'a', on: {}, match: { tools: [1] } }, /match\.tools/],
    'a match with no tools': [{ name: 'a', on: {}, match: { tools: [] } }, /applies to nothing.*match\.tools/s],
    'a match with no permissions': [{ name: 'a', on: {}, match: { permissions: [] } }, /nothing.*match\.permissions/s],
    'a match with no agents': [{ name: 'a', on: {}, match: { agents: [] } }, /nothing.*match\.agents/s],
    'an invalid tool': [{ name: 'a', tools: [{ name: 'x' }] }, /Tool "x"/],
    '`through` failing open': [
      { name: 'a', onFailure: 'skip', through: { reasoningChunk: () => NEVER } },
      /not legal with "through"/,
    ],
    'an approver failing open': [{ name: 'a', onFailure: 'skip', approve: () => {} }, /no effect on "approve"/],
  };
  for (const [what, [definition, message]] of Object.entries(wrong)) {
    it(`rejects ${what}`, () => {
      expect(() => defineHook(definition as HookDefinition)).to.throw(message);
    });
  }

  it('accepts the longest timer delay and rejects a longer one, which would fire at once', () => {
    const longest = 2 ** 31 - 1;
    expect(defineHook({ name: 'a', on: {}, timeoutMs: longest }).timeoutMs).to.equal(longest);
    expect(() => defineHook({ name: 'a', on: {}, timeoutMs: longest + 1 })).to.throw(
      /timeoutMs[\s\S]*2147483647|2147483647[\s\S]*timeoutMs/,
    );
  });

  it('accepts an infinite time, for handlers with their own limit', () => {
    const endless = Number.POSITIVE_INFINITY;
    expect(defineHook({ name: 'a', on: {}, timeoutMs: endless }).timeoutMs).to.equal(endless);
    expect(() => defineHook({ name: 'a', on: {}, timeoutMs: -endless })).to.throw(/timeoutMs/);
    expect(() => defineHook({ name: 'a', on: {}, timeoutMs: Number.NaN })).to.throw(/timeoutMs/);
  });

  it('lists every validation issue at once', () => {
    expect(() => defineHook({ name: 'a', priority: 'x', timeoutMs: -1 } as never)).to.throw(/priority[\s\S]*timeoutMs/);
  });
});

describe('createPipeline', () => {
  it('sorts by priority, then by registration', () => {
    const hooks = [
      named('c', { priority: 20 }),
      named('a', { priority: 10 }),
      named('d', { priority: 20 }),
      named('b', { priority: 10 }),
    ];
    expect(createPipeline(hooks).hooks.map(({ name }) => name)).to.deep.equal(['a', 'b', 'c', 'd']);
  });

  it('runs handlers in that order', () => {
    const ran: string[] = [];
    const noting = (name: string, priority: number) =>
      defineHook({ name, priority, on: { preCall: () => void ran.push(name) } });
    hear(
      start([
        noting('metrics', HookPriority.METRICS),
        noting('x', 100),
        noting('guard', HookPriority.SECURITY),
        noting('y', 100),
      ]).begin([]),
    );
    expect(ran).to.deep.equal(['guard', 'x', 'y', 'metrics']);
  });

  it('passes all nine events to one `on` function', () => {
    const types: string[] = [];
    const all = defineHook({ name: 'all', on: (event) => void types.push(event.type) });
    const run = start([all]);
    for (const phase of [
      run.begin([]),
      run.reason(request, modelOf('a')),
      run.act(callOf('t'), [toolOf('t', async function* () {})]),
      run.fail(new Error('x')),
    ])
      hear(phase);
    hear(run.act(callOf('u', {}, 'call_2'), [toolOf('u', (_, { emit }) => void emit('chunk'))]));
    hear(run.end({ outcome: 'completed' }));
    expect(new Set(types)).to.have.property('size', 9);
  });

  it('rejects two hooks or two tools of one name', () => {
    const tool = toolOf('t', () => 'x');
    expect(() => createPipeline([named('a'), named('a')]))
      .to.throw(/Two hooks are named "a"/)
      .with.property('code', 'HOOK_DUPLICATE');
    expect(() =>
      createPipeline([defineHook({ name: 'a', tools: [tool] }), defineHook({ name: 'b', tools: [tool] })]),
    ).to.throw(/Two tools are named "t"/);
    expect(() => createPipeline([named('a')]).with(named('a'))).to.throw(/Two hooks/);
  });

  it('rejects a value that is not a hook and names it', () => {
    expect(() => createPipeline([{ name: 'raw', on: {} } as never])).to.throw(
      /"raw" is not a hook; make it with defineHook/,
    );
    expect(() => createPipeline([undefined as never])).to.throw(/undefined is not a hook/);
    expect(() => createPipeline('x' as never)).to.throw(/must be an array/);
  });

  for (const options of [
    { trace: 'yes' },
    { unknown: 1 },
    { buffer: { overflow: 'spill' } },
    { buffer: { chunks: 0 } },
    { maxRetries: -1 },
    { log: {} },
    { scheduler: {} },
    { newId: 1 },
  ]) {
    it(`rejects the options ${JSON.stringify(options)}`, () => {
      expect(() => createPipeline([], options as never))
        .to.throw(/createPipeline\(\)/)
        .with.property('code', 'OPTIONS_INVALID');
    });
  }

  it('rejects a run without an agent, and metadata that is not JSON', () => {
    expect(() => start([], {}, { agent: 1 as never })).to.throw(/pipeline\.start\(\): agent/);
    expect(() => start([], {}, { metadata: { when: new Date() } as never })).to.throw(/metadata\.when/);
  });

  it('is immutable: with and without return new ones', () => {
    const one = createPipeline([named('a'), named('b')], { maxRetries: 3 });
    const more = one.with(named('c', { priority: 1 }));
    const less = more.without('a');
    expect([one, more, less].map(({ hooks }) => hooks.map(({ name }) => name).join(''))).to.deep.equal([
      'ab',
      'cab',
      'cb',
    ]);
    expect(less.options).to.deep.equal({ maxRetries: 3 });
    expect(Object.isFrozen(one) && Object.isFrozen(one.hooks) && Object.isFrozen(one.tools)).to.equal(true);
    expect(() => one.without('x')).to.throw(/no hook "x".*Hooks: a, b/);
  });

  it('keeps the order of registration across with and without', () => {
    const pipeline = createPipeline([named('late', { priority: 9 }), named('x'), named('y')])
      .without('x')
      .with(named('x'));
    expect(pipeline.hooks.map(({ name }) => name)).to.deep.equal(['late', 'y', 'x']);
  });

  it('emits all events of all runs on its hot stream, for any listener', () => {
    const pipeline = createPipeline();
    const seen: SettledEvent[] = [];
    const subscription = pipeline.events$.subscribe((event) => seen.push(event));
    const [one, two] = [pipeline.start({ agent: 'a' }), pipeline.start({ agent: 'b' })];
    const heard = hear(one.begin([userMessage('hi')]));
    hear(two.begin([]));
    subscription.unsubscribe();
    hear(one.end({ outcome: 'completed' }));
    expect(seen.map(({ type, run, seq }) => `${run.agent} ${type} ${seq}`)).to.deep.equal([
      'a preCall 0',
      'b preCall 0',
    ]);
    expect(seen[0]).to.equal(heard.events[0]);
  });

  it('gives every run an id, and a session by default', () => {
    let n = 0;
    const pipeline = createPipeline([], { newId: () => `id_${++n}` });
    expect(pipeline.start({ agent: 'a' }).info).to.deep.equal({
      runId: 'id_1',
      sessionId: 'id_2',
      agent: 'a',
      depth: 0,
    });
    const parent = pipeline.start({ agent: 'p', sessionId: 's', userId: 'u' });
    expect(
      pipeline.start({ agent: 'c', sessionId: 's', parent: { run: parent.info, lifetime: parent.lifetime } }).info,
    ).to.include({ parentRunId: 'id_3', depth: 1 });
    expect(Object.isFrozen(parent.info)).to.equal(true);
  });
});

describe('match', () => {
  const applies = (match: HookMatch, name: string, own: Partial<Tool> = {}) => {
    let count = 0;
    const note = (): void => {
      count += 1;
    };
    const hook = defineHook({ name: 'h', match, on: { preActing: () => note() } });
    hear(start([hook]).act(callOf(name), [toolOf(name, () => 'x', own)]));
    return count === 1;
  };

  it('matches strings exactly, or as globs over the whole name', () => {
    const matches = createMatcher(['bash', 'fs_*', 'a?c', 'x.y']);
    const names = ['bash', 'bash2', 'mybash', 'fs_', 'fs_read', 'my_fs_read', 'abc', 'ac', 'abbc', 'x.y', 'xzy'];
    expect(names.filter(matches)).to.deep.equal(['bash', 'fs_', 'fs_read', 'abc', 'x.y']);
    expect(createMatcher(['*'])('')).to.equal(true);
    expect(createMatcher([])('x')).to.equal(false);
  });

  it('matches every call of a regular expression with g or y', () => {
    for (const pattern of [/write/g, /write/y, /^write/gy, /WRITE/gi]) {
      const matches = createMatcher([pattern]);
      expect([1, 2, 3, 4].map(() => matches('write_file'))).to.deep.equal([true, true, true, true]);
    }
    const shared = /x/g;
    shared.lastIndex = 1;
    expect(createMatcher([shared])('x')).to.equal(true);
    expect(shared.lastIndex).to.equal(1);
  });

  it('combines tools and permissions', () => {
    expect(applies({ tools: ['t'] }, 't')).to.equal(true);
    expect(applies({ tools: ['t'], permissions: ['read'] }, 't')).to.equal(false);
    expect(applies({ tools: ['t'], permissions: ['read'] }, 't', { permission: 'read' })).to.equal(true);
    expect(applies({ permissions: ['external'] }, 't')).to.equal(true);
  });

  it('restricts only tool events', () => {
    const types: string[] = [];
    const hook = defineHook({ name: 'h', match: { tools: ['other'] }, on: (event) => void types.push(event.type) });
    const run = start([hook]);
    for (const phase of [
      run.begin([]),
      run.reason(request, modelOf('a')),
      run.act(callOf('t'), [toolOf('t', (_, { emit }) => void emit('x'))]),
    ])
      hear(phase);
    expect(types).to.deep.equal(['preCall', 'preReasoning', 'reasoningChunk', 'reasoningChunk', 'postReasoning']);
  });

  it('restricts every part of a hook', () => {
    const ran: string[] = [];
    const note = (what: string) => void ran.push(what);
    const hook = defineHook({
      name: 'h',
      match: { tools: ['other'] },
      on: {
        preActing: () => note('on'),
        actingChunk: () => note('chunk'),
        postActing: () => note('post'),
        error: () => note('error'),
      },
      through: {
        actingChunk(chunks$) {
          note('through');
          return chunks$;
        },
      },
      around: {
        acting(_, next) {
          note('around');
          return next();
        },
      },
      approve() {
        note('approve');
        return { verdict: 'approved' };
      },
      observe: (event) => ('toolCall' in event ? note(`observe ${event.type}`) : undefined),
    });
    const failing = toolOf('t', async function* () {
      yield 'x';
      throw new Error('down');
    });
    const heard = hear(start([hook]).act(callOf('t'), [failing]));
    return heard.ended.then(() => expect(ran).to.deep.equal([]));
  });

  it('uses the new name of a renamed call', () => {
    const seen: string[] = [];
    const watch = (name: string, priority: number) =>
      defineHook({
        name: `${name} ${priority}`,
        priority,
        match: { tools: [name] },
        on: {
          preActing: () => void seen.push(`${name} ${priority}`),
          postActing: () => void seen.push(`${name} post`),
        },
      });
    const rename = defineHook({
      name: 'rename',
      priority: 50,
      on: { preActing: (event) => ({ ...event, toolCall: { ...event.toolCall, name: 'new' } }) },
    });
    hear(
      start([watch('old', 10), watch('new', 20), rename, watch('old', 60), watch('new', 70)]).act(callOf('old'), [
        toolOf('new', () => 'x'),
      ]),
    );
    expect(seen).to.deep.equal(['old 10', 'new 70', 'new post', 'new post']);
  });

  it('shows observers chunks and errors of tools with a matching permission', async () => {
    const seen: string[] = [];
    const watcher = (permission: 'read' | 'external') =>
      defineHook({
        name: permission,
        match: { permissions: [permission] },
        observe: (event) => void seen.push(`${permission} ${event.type}`),
      });
    const tool = toolOf(
      't',
      async function* () {
        yield 'x';
        throw new Error('down');
      },
      { permission: 'read' },
    );
    const heard = hear(start([watcher('read'), watcher('external')]).act(callOf('t'), [tool]));
    await heard.ended;
    expect(seen).to.deep.equal(['read preActing', 'read actingChunk', 'read error', 'read postActing']);
  });

  it('skips hooks of other agents', () => {
    const ran: string[] = [];
    const forAgents = (name: string, agents: (string | RegExp)[]) =>
      defineHook({ name, match: { agents }, on: { preCall: () => void ran.push(name) } });
    const pipeline = createPipeline([
      forAgents('all', ['*']),
      forAgents('some', [/^re/g]),
      forAgents('none', ['writer']),
    ]);
    for (const agent of ['researcher', 'reader']) hear(pipeline.start({ agent }).begin([]));
    expect(ran).to.deep.equal(['all', 'some', 'all', 'some']);
  });

  it('runs a phase once for each subscriber, because phases are cold', () => {
    const asked$ = new Subject<void>();
    let asked = 0;
    asked$.subscribe(() => {
      asked += 1;
    });
    const phase$ = start([]).reason(request, (given, context) => {
      asked$.next();
      return modelOf('a')(given, context);
    });
    expect(asked).to.equal(0);
    hear(phase$);
    hear(phase$);
    expect(asked).to.equal(2);
  });
});

import { mock } from 'node:test';
import { expect } from 'chai';
import { NEVER, of, throwError, timer } from 'rxjs';
import { z } from 'zod';
import { HooklineError } from '../../../lib/errors.ts';
import { modify } from '../../../lib/events/decisions/modify.ts';
import { respond } from '../../../lib/events/decisions/respond.ts';
import { retry } from '../../../lib/events/decisions/retry.ts';
import { assistantMessage, textOf, userMessage } from '../../../lib/events/parts/messages.ts';
import { createPipeline } from '../../../lib/pipeline/create-pipeline.ts';
import { defineHook } from '../../../lib/pipeline/define/define-hook.ts';
import { type HookDefinition, verdict } from '../../../lib/pipeline/define/hook.ts';
import { defineState } from '../../../lib/pipeline/define/state.ts';
import type { Delivery } from '../../../lib/pipeline/run/run.ts';
import type { TraceReport } from '../../../lib/pipeline/trace/tracer.ts';
import { recorder } from '../../../lib/testing/recorder.ts';
import { callOf, hear, keptLog, modelOf, pause, request, start, toolOf } from '../scene.ts';

const down = () => throwError(() => new Error('down'));

describe('a run', () => {
  it('numbers its events over all phases, in settling order', () => {
    const run = start([]);
    const phases = [
      run.begin([]),
      run.reason(request, modelOf('a')),
      run.act(callOf('t'), [toolOf('t', () => 'x')]),
      run.end({ outcome: 'completed' }),
    ];
    const events = phases.flatMap((phase) => hear(phase).events);
    expect(events.map(({ seq }) => seq)).to.deep.equal(events.map((_, index) => index));
    expect(events.map(({ iteration }) => iteration)).to.deep.equal([0, 1, 1, 1, 1, 1, 1, 1]);
  });

  it('runs no call without an id or a name, because its result could not be matched', () => {
    const ran: string[] = [];
    const tools = [toolOf('t', () => void ran.push('t'))];
    for (const wrong of [
      undefined,
      {},
      { name: 't', input: {} },
      { id: '', name: 't', input: {} },
      { id: 'c', input: {} },
    ]) {
      const heard = hear(start([]).act(wrong as never, tools));
      expect(String(heard.error)).to.include('a call needs an id and a name');
      expect(heard.events).to.be.empty;
    }
    expect(ran).to.be.empty;
  });

  it('starts with preCall even if its hook failed, and then reports the error', () => {
    const broken = defineHook({ name: 'broken', on: { preCall: down } });
    const run = start([broken]);
    expect(hear(run.begin([userMessage('hi')])).lines()).to.deep.equal([
      'preCall',
      'error call hook broken "Hook \\"broken\\" failed in on.preCall: down"',
    ]);
    expect(run.fatal).to.be.an('error');
  });

  it('uses the answer of a hook to a failed preCall', () => {
    const broken = defineHook({ name: 'broken', on: { preCall: down } });
    const saver = defineHook({
      name: 'saver',
      on: { error: (event) => (event.phase === 'call' ? respond(event, 'sorry') : undefined) },
    });
    const run = start([broken, saver]);
    hear(run.begin([]));
    expect(textOf(run.recovered)).to.equal('sorry');
  });

  it('ends with the message after postCall, and finalize runs before observers', () => {
    const order: string[] = [];
    const signing = defineHook({
      name: 'signing',
      on: { postCall: (event) => modify(event, { message: assistantMessage(`${textOf(event.message)}!`) }) },
    });
    const run = start([signing, defineHook({ name: 'seen', observe: () => void order.push('settled') })]);
    const heard = hear(
      run.end({ outcome: 'completed', message: assistantMessage('done') }, (post) => {
        order.push(`finalize ${textOf(post.message)}`);
        return undefined;
      }),
    );
    expect(heard.lines()).to.deep.equal(['postCall completed "done!"']);
    expect(order).to.deep.equal(['finalize done!', 'settled']);
  });

  it('fails if its outcome could not be stored', () => {
    const heard = hear(start([]).end({ outcome: 'completed' }, down));
    expect(heard.lines()).to.deep.equal(['error call host "down"', 'postCall failed (down)']);
  });

  it('keeps the failed step and stops', () => {
    const run = start([]);
    hear(run.reason(request, down));
    expect(run.fatal).to.include({ message: 'down' });
    expect(run.unfinished()).to.equal(undefined);
  });

  it('keeps the text streamed before a model step failed', () => {
    const run = start([]);
    hear(run.reason(request, () => of({ type: 'text' as const, delta: 'half' }, null as never)));
    expect(textOf(run.unfinished())).to.equal('half');
  });

  describe('retry', () => {
    it('is limited for a failing model: then the run fails, and the event names the reason', () => {
      let asked = 0;
      const stubborn = defineHook({
        name: 'stubborn',
        on: { error: (event) => (event.phase === 'reasoning' ? retry(event) : undefined) },
      });
      const run = start([stubborn]);
      const heard = hear(
        run.reason(request, () => {
          asked += 1;
          return down();
        }),
      );
      expect(asked).to.equal(9);
      expect(
        heard
          .of('error')
          .at(-1)
          ?.notes?.map(({ by, code }) => `${by} ${code}`),
      ).to.deep.equal(['stubborn retry-exhausted']);
      expect(heard.of('error').at(-1)).not.to.have.property('decision');
      expect(run.fatal).to.be.an('error');
    });

    it('is limited for a message that is always rejected: then the run continues without it', () => {
      const stubborn = defineHook({ name: 'stubborn', on: { postReasoning: (event) => retry(event, 'more') } });
      const run = start([stubborn], { maxRetries: 2 });
      const posts = [1, 2, 3, 4].map(() => hear(run.reason(request, modelOf('a'))));
      expect(posts.map((heard) => heard.of('postReasoning')[0]?.decision?.action)).to.deep.equal([
        'retry',
        'retry',
        undefined,
        'retry',
      ]);
      expect(posts[2]?.of('postReasoning')[0]?.notes?.[0]).to.include({ code: 'retry-exhausted', by: 'stubborn' });
      expect(posts[2]?.lines('error')[0]).to.match(/^error reasoning hook stubborn .*2 in a row are the limit/);
    });

    it('counts only consecutive ones', () => {
      let n = 0;
      const now = defineHook({
        name: 'now',
        on: { postReasoning: (event) => (n++ % 2 === 0 ? retry(event) : undefined) },
      });
      const run = start([now], { maxRetries: 1 });
      const decisions = [1, 2, 3, 4, 5].map(
        () => hear(run.reason(request, modelOf('a'))).of('postReasoning')[0]?.decision?.action,
      );
      expect(decisions).to.deep.equal(['retry', undefined, 'retry', undefined, 'retry']);
    });

    it('resets its count after a tool has run', () => {
      let n = 0;
      const again = defineHook({
        name: 'again',
        on: { error: (event) => (event.phase === 'acting' ? retry(event) : undefined) },
      });
      const run = start([again], { maxRetries: 1 });
      const everySecond = toolOf('t', () => (n++ % 2 === 0 ? (down() as never) : 'done'));
      const outcomes = ['a', 'b'].map(
        (id) => hear(run.act(callOf('t', {}, id), [everySecond])).of('postActing')[0]?.outcome,
      );
      expect(outcomes).to.deep.equal(['executed', 'executed']);
    });

    it('runs a failed tool again, up to the limit', () => {
      let ran = 0;
      const stubborn = defineHook({
        name: 'stubborn',
        on: { error: (event) => (event.phase === 'acting' ? retry(event) : undefined) },
      });
      const heard = hear(
        start([stubborn], { maxRetries: 3 }).act(callOf('t'), [
          toolOf('t', () => {
            ran += 1;
            return down() as never;
          }),
        ]),
      );
      expect(ran).to.equal(4);
      expect(heard.of('postActing')).to.have.length(1);
      expect(heard.of('postActing')[0]?.outcome).to.equal('failed');
    });
  });

  describe('deliver', () => {
    const result = { content: 'for the model', isError: false, forUser: 'for you' };
    const act = (deliver: (delivery: Delivery) => unknown, own: object = {}) => {
      const heard = hear(start([], {}, { deliver }).act(callOf('t'), [toolOf('t', () => ({ ...result, ...own }))]));
      return heard;
    };

    it('receives the part for the user once, after the hooks', () => {
      const got: Delivery[] = [];
      act((delivery) => void got.push(delivery));
      expect(got.map(({ text, toolCall, run }) => [text, toolCall.id, run.agent])).to.deep.equal([
        ['for you', 'call_1', 'agent'],
      ]);
    });

    it('receives no silent parts, and media only if the result is handled', () => {
      const got: Delivery[] = [];
      const media = [{ url: 'media://1' }];
      for (const own of [{ silent: true }, { silent: true, media }, { silent: true, media, handled: true }])
        act((delivery) => void got.push(delivery), own);
      expect(got.map(({ text, media: items }) => [text, items])).to.deep.equal([[undefined, media]]);
    });

    for (const [what, deliver] of Object.entries({
      throws: () => {
        throw new Error('offline');
      },
      rejects: () => Promise.reject(new Error('offline')),
      'fails as an Observable': () => throwError(() => new Error('offline')),
    })) {
      it(`makes the result an error when it ${what}`, async () => {
        const heard = act(deliver);
        await heard.ended;
        expect(heard.of('error')[0]?.error).to.include({ code: 'DELIVERY_FAILED' });
        expect(heard.of('error')[0]?.source).to.equal('host');
        const [post] = heard.of('postActing');
        expect(post?.result).to.include({ isError: true });
        expect(post?.result).not.to.have.property('forUser');
        expect(post?.result.content).to.match(/^for the model\n.*offline/);
      });
    }

    it('is awaited', async () => {
      let delivered = false;
      const deliver = async () => {
        await pause(3);
        delivered = true;
      };
      const heard = act(deliver);
      expect(heard.of('postActing')).to.deep.equal([]);
      await heard.ended;
      expect(delivered).to.equal(true);
      expect(heard.of('postActing')).to.have.length(1);
    });
  });

  describe('state', () => {
    const counter = defineState({ name: 'counter', schema: z.object({ n: z.number() }), initial: () => ({ n: 0 }) });
    const withState = (
      own: object,
      use: (cell: {
        get(): { n: number };
        set(value: { n: number }): void;
        update(change: (v: { n: number }) => { n: number }): void;
      }) => void,
    ) => {
      const run = start(
        [defineHook({ name: 'h', on: { preCall: (_, context) => use(context.state(counter)) } })],
        {},
        own,
      );
      const heard = hear(run.begin([]));
      return { run, error: heard.of('error')[0]?.error.message };
    };

    it('starts with a value or a factory, and never shares an initial value', () => {
      const key = defineState({ name: 'list', schema: z.array(z.string()), initial: [] as string[] });
      const add = defineHook({
        name: 'add',
        on: { preCall: (_, context) => context.state(key).update((list) => [...list, 'x']) },
      });
      const pipeline = createPipeline([add]);
      const states = [1, 2].map(() => {
        const run = pipeline.start({ agent: 'x' });
        hear(run.begin([]));
        return run.state();
      });
      expect(states).to.deep.equal([{ list: ['x'] }, { list: ['x'] }]);
      expect(key.initial).to.deep.equal([]);
    });

    it('is shared between hooks of a run with the same key, but not between runs', () => {
      const add = (name: string) =>
        defineHook({ name, on: { preCall: (_, context) => context.state(counter).update(({ n }) => ({ n: n + 1 })) } });
      const pipeline = createPipeline([add('a'), add('b')]);
      const runs = [pipeline.start({ agent: 'x' }), pipeline.start({ agent: 'x' })];
      for (const run of runs) hear(run.begin([]));
      expect(runs.map((run) => run.state())).to.deep.equal([{ counter: { n: 2 } }, { counter: { n: 2 } }]);
    });

    it('restores a snapshot and keeps unread entries', () => {
      let got: unknown;
      const { run } = withState({ state: { counter: { n: 5 }, other: [1] } }, (cell) => {
        got = cell.get();
      });
      expect(got).to.deep.equal({ n: 5 });
      expect(run.state()).to.deep.equal({ counter: { n: 5 }, other: [1] });
    });

    it('rejects invalid values when set and saved, every time', () => {
      expect(withState({}, (cell) => cell.set({ n: 'x' as never })).error).to.match(/"counter" as set.*n:/);
      expect(withState({ state: { counter: { n: 'x' } } }, () => {}).error).to.match(/"counter" from the snapshot/);
      const errors: unknown[] = [];
      const twice = defineHook({
        name: 'twice',
        on: {
          preCall(_, context) {
            for (let n = 0; n < 2; n++) {
              try {
                context.state(counter);
              } catch (error) {
                errors.push(error);
              }
            }
          },
        },
      });
      hear(start([twice], {}, { state: { counter: 'bad' } }).begin([]));
      expect(errors).to.have.length(2);
    });

    it('is a JSON copy of the value that was set', () => {
      const value = { n: 1 };
      const { run } = withState({}, (cell) => {
        cell.set(value);
        value.n = 666;
        expect(Object.isFrozen(cell.get())).to.equal(true);
      });
      expect(run.state()).to.deep.equal({ counter: { n: 1 } });
      const when = defineState({ name: 'when', schema: z.date(), initial: () => new Date() });
      const heard = hear(
        start([defineHook({ name: 'h', on: { preCall: (_, context) => void context.state(when) } })]).begin([]),
      );
      expect(heard.of('error')[0]?.error.message).to.match(/instance of Date/);
    });

    it('rejects an invalid key at construction', () => {
      const make = defineState as (key?: unknown) => unknown;
      const wrong: [unknown, RegExp][] = [
        [undefined, /object/],
        [{ name: 'x' }, /schema[\s\S]*initial/],
        [{ name: '', schema: z.number(), initial: () => 0 }, /name/],
        [{ name: 'x', schema: {}, initial: () => 0 }, /zod schema/],
        [{ name: 'x', schema: z.number() }, /initial/],
      ];
      for (const [key, message] of wrong)
        expect(() => make(key))
          .to.throw(HooklineError, /^defineState\(\): /)
          .with.property('message')
          .that.matches(message);
    });

    it('rejects two keys of one name', () => {
      const twin = defineState({ ...counter });
      const hooks = [counter, twin].map((key, n) =>
        defineHook({ name: `h${n}`, on: { preCall: (_, context) => void context.state(key) } }),
      );
      expect(hear(start(hooks).begin([])).of('error')[0]?.error.message).to.match(/Two state keys are named "counter"/);
    });
  });

  describe('the trace', () => {
    const traced = async (hooks: Parameters<typeof start>[0], play: 'act' | 'reason' = 'act') => {
      const pipeline = createPipeline(hooks, { trace: true });
      const reports: TraceReport[] = [];
      pipeline.traces$.subscribe((report) => reports.push(report));
      const run = pipeline.start({ agent: 'agent' });
      await hear(
        play === 'act'
          ? run.act(callOf('t', { a: { b: 1 }, c: 2 }), [toolOf('t', () => 'x')])
          : run.reason(request, modelOf('a')),
      ).ended;
      const lines = (type: string) =>
        reports
          .filter(({ event }) => event.type === type)
          .map(({ steps }) =>
            steps.map(({ hook, stage, effect, paths, decision }) =>
              [hook, stage, effect, ...(paths ?? []), ...(decision ? [decision] : [])].join(' '),
            ),
          );
      return { reports, lines };
    };

    it('lists the actions of every hook on an event, in order', async () => {
      const { lines } = await traced([
        defineHook({ name: 'pass', priority: 1, on: { preActing: () => undefined } }),
        defineHook({
          name: 'change',
          priority: 2,
          on: {
            preActing: async (event) =>
              modify(event, { toolCall: { ...event.toolCall, input: { a: { b: 2 }, c: 2 } } }),
          },
        }),
        defineHook({ name: 'elsewhere', priority: 3, match: { tools: ['x'] }, on: { preActing: () => undefined } }),
        defineHook({ name: 'open', priority: 4, onFailure: 'skip', on: { preActing: down } }),
        defineHook({ name: 'ok', priority: 5, approve: () => verdict.allow() }),
        defineHook({ name: 'no', priority: 6, approve: () => verdict.deny('no') }),
      ]);
      expect(lines('preActing')).to.deep.equal([
        [
          'pass on passed',
          'change on changed toolCall.input.a.b',
          'elsewhere on skipped',
          'open on failed',
          'ok approve passed',
          'no approve decided deny',
        ],
      ]);
    });

    it('lists the handlers skipped after a decision, with the reason', async () => {
      const { reports } = await traced([
        defineHook({
          name: 'deny',
          on: { preActing: (event) => ({ ...event, decision: { action: 'deny', reason: 'x' } }) },
        }),
        defineHook({ name: 'later', on: { preActing: () => undefined } }),
      ]);
      const steps = reports.find(({ event }) => event.type === 'preActing')?.steps;
      expect(steps?.map(({ hook, effect, reason }) => [hook, effect, reason])).to.deep.equal([
        ['deny', 'decided', undefined],
        ['later', 'skipped', 'hook "deny" has decided'],
      ]);
    });

    it('includes chunks, and every settled event once', async () => {
      const { lines, reports } = await traced(
        [
          defineHook({
            name: 'up',
            on: { reasoningChunk: (chunk) => (chunk.last ? undefined : modify(chunk, { delta: 'A' })) },
          }),
        ],
        'reason',
      );
      expect(lines('reasoningChunk')).to.deep.equal([['up on changed delta'], ['up on passed']]);
      expect(reports.map(({ event }) => event.seq)).to.deep.equal([0, 1, 2, 3]);
    });

    it('is off by default', () => {
      const pipeline = createPipeline([]);
      let count = 0;
      pipeline.traces$.subscribe(() => {
        count += 1;
      });
      hear(pipeline.start({ agent: 'a' }).begin([]));
      expect(count).to.equal(0);
    });
  });

  describe('observers', () => {
    it('never delay a run; drained waits for them', async () => {
      let done = 0;
      const slow = defineHook({
        name: 'slow',
        async observe() {
          await pause(2);
          done += 1;
        },
      });
      const pipeline = createPipeline([slow]);
      const heard = hear(pipeline.start({ agent: 'a' }).reason(request, modelOf('a', 'b')));
      expect(heard.completed).to.equal(true);
      expect(done).to.equal(0);
      await pipeline.flush();
      expect(done).to.equal(heard.events.length);
      await pipeline.flush();
    });

    it('are awaited for a minute at most, even without a time limit', async () => {
      mock.timers.enable({ apis: ['setTimeout'] });
      try {
        const { log, lines } = keptLog();
        const endless = defineHook({ name: 'endless', timeoutMs: Number.POSITIVE_INFINITY, observe: () => NEVER });
        const slow = defineHook({ name: 'slow', timeoutMs: 90_000, observe: () => timer(80_000) });
        const pipeline = createPipeline([endless, slow], { log });
        pipeline.start({ agent: 'a' }).begin([]).subscribe();
        let flushed = false;
        const ended = pipeline.flush().then(() => {
          flushed = true;
        });
        mock.timers.tick(60_000);
        await Promise.resolve();
        expect(flushed).to.equal(false);
        mock.timers.tick(60_000);
        await ended;
        expect(lines.at(-1)).to.deep.include({
          msg: 'flush no longer waits for observers without a time limit',
          hooks: ['endless'],
        });
      } finally {
        mock.timers.reset();
      }
    });

    it('see events in order, decisions included, also when they are slow', async () => {
      const seen: number[] = [];
      const slow = defineHook({
        name: 'slow',
        async observe(event) {
          await pause(event.seq === 0 ? 5 : 0);
          seen.push(event.seq);
        },
      });
      const pipeline = createPipeline([slow]);
      hear(pipeline.start({ agent: 'a' }).reason(request, modelOf('a', 'b')));
      await pipeline.flush();
      expect(seen).to.deep.equal([0, 1, 2, 3, 4]);
    });

    it('skip chunks when they are too slow, counted and logged, but never other events', async () => {
      const { log, lines } = keptLog();
      const seen = { chunks: 0, others: 0 };
      let first = true;
      const slow = defineHook({
        name: 'slow',
        // A busy machine may block the event loop longer than the default.
        timeoutMs: 60_000,
        observe(event) {
          if (event.type === 'reasoningChunk') seen.chunks += 1;
          else seen.others += 1;
          if (!first) return undefined;
          first = false;
          return timer(5);
        },
      });
      const pipeline = createPipeline([slow, recorder()], { log });
      const run = pipeline.start({ agent: 'a' });
      hear(run.reason(request, modelOf(...Array.from({ length: 1_500 }, () => 'x'))));
      for (let n = 0; n < 1_200; n++) hear(run.act(callOf('t', {}, `${n}`), [toolOf('t', () => 'x')]));
      await pipeline.flush();
      expect(pipeline.droppedChunks()).to.deep.equal({ slow: 501 });
      expect(seen).to.deep.equal({ chunks: 1_000, others: 2 + 2_400 });
      expect(lines.map(({ msg }) => msg)).to.deep.equal(['an observer was too slow and was spared some chunks']);
    });

    it('do not affect each other', () => {
      const seen = recorder();
      const broken = defineHook({
        name: 'broken',
        observe() {
          throw new Error('oops');
        },
      });
      hear(start([broken, seen]).begin([]));
      expect(seen.lines()).to.have.length(1);
    });
  });

  describe('the context', () => {
    it('names the run of a hook and logs under its name', () => {
      const { log, lines } = keptLog();
      const hook = defineHook({
        name: 'hook',
        on: {
          preCall(event, context) {
            expect(context.run).to.equal(event.run);
            expect(context.transcript).to.deep.equal([userMessage('before')]);
            expect(context.dryRun).to.equal(false);
            context.log.info('hello');
          },
        },
      });
      const heard = hear(start([hook], { log }, { transcript: () => [userMessage('before')] }).begin([]));
      expect(heard.lines('error')).to.deep.equal([]);
      expect(lines[0]).to.deep.include({ msg: 'hello', hook: 'hook', agent: 'agent', sessionId: 'session' });
    });
  });

  for (const [what, hook] of Object.entries({
    'a changed answer': { on: { postReasoning: (event) => modify(event, { message: userMessage('me') }) } },
    'an answer instead of the model': { on: { preReasoning: (event) => respond(event, userMessage('me')) } },
  } satisfies Record<string, Partial<HookDefinition>>))
    it(`rejects a user's message as ${what}`, () => {
      const heard = hear(start([defineHook({ name: 'h', ...hook })]).reason(request, modelOf('a')));
      expect(heard.of('postReasoning')).to.deep.equal([]);
      expect(heard.of('error')[0]?.error.message).to.match(/must be assistant; make the message with assistantMessage/);
    });
});

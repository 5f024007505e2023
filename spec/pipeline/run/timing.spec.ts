import { expect } from 'chai';
import {
  concatWith,
  defer,
  delay,
  map,
  NEVER,
  Observable,
  of,
  type SchedulerAction,
  type SchedulerLike,
  type Subscription,
  timer,
} from 'rxjs';
import type { SettledEvent } from '../../../lib/events/hook-event.ts';
import { userMessage } from '../../../lib/events/parts/messages.ts';
import { defineHook } from '../../../lib/pipeline/define/define-hook.ts';
import { type Hook, type HookDefinition, verdict } from '../../../lib/pipeline/define/hook.ts';
import { marbles } from '../../../lib/testing/marbles/marbles.ts';
import { recorder } from '../../../lib/testing/recorder.ts';
import { callOf, hear, keptLog, modelOf, pause, request, start, toolOf } from '../scene.ts';

/** A scheduler that counts its tasks. */
function counting(): SchedulerLike & { scheduled: number } {
  const scheduler = {
    scheduled: 0,
    now: () => 1_000,
    schedule<T>(this: void, _work: (this: SchedulerAction<T>, state?: T) => void): Subscription {
      scheduler.scheduled += 1;
      throw new Error('nothing should be scheduled');
    },
  };
  return scheduler;
}

describe('time', () => {
  const handlers: Record<string, [Partial<HookDefinition>, string]> = {
    on: [{ on: { preActing: () => NEVER } }, '5000 error acting hook slow call_1 "…within 5000 ms…"'],
    approve: [{ approve: () => NEVER }, '60000 error acting hook slow call_1 "…within 60000 ms…"'],
  };
  for (const [kind, [definition, line]] of Object.entries(handlers)) {
    it(`limits ${kind} by its default`, () => {
      marbles(({ run, tool, expectEvents }) => {
        const slow = defineHook({ name: 'slow', ...definition });
        const frame = line.split(' ')[0];
        expectEvents(run(slow).act(callOf('t'), [tool({ name: 't', result: 'x' })])).toShow([
          line,
          `${frame} preActing call_1 t {} => deny "hook \\"slow\\" failed" by slow`,
          `${frame} postActing call_1 denied "…"`,
          `${frame} |`,
        ]);
      });
    });

    it(`cuts off ${kind} at the timeout, also with another library's Observable`, () => {
      let cut = false;
      marbles(({ run, tool, expectEvents }) => {
        const subscription = {
          unsubscribe() {
            cut = true;
          },
        };
        const foreign = { lift: () => foreign, subscribe: () => subscription };
        const slow = defineHook({
          name: 'slow',
          timeoutMs: 7,
          ...('on' in definition ? { on: { preActing: () => foreign as never } } : { approve: () => foreign as never }),
        });
        expectEvents(run(slow).act(callOf('t'), [tool({ name: 't', result: 'x' })])).toShow([
          '7 error acting hook slow call_1 "…within 7 ms…"',
          '7 preActing call_1 t {} => deny … by slow',
          '7 postActing call_1 denied "…"',
          '7 |',
        ]);
      });
      expect(cut).to.equal(true);
    });

    it(`limits ${kind} by the hook's own timeoutMs`, () => {
      marbles(({ run, tool, expectEvents }) => {
        const slow = defineHook({ name: 'slow', timeoutMs: 7, ...definition });
        expectEvents(run(slow).act(callOf('t'), [tool({ name: 't', result: 'x' })])).toShow([
          '7 error acting hook slow call_1 "…within 7 ms…"',
          '7 preActing call_1 t {} => deny … by slow',
          '7 postActing call_1 denied "…"',
          '7 |',
        ]);
      });
    });
  }

  it('limits observers to 500 ms and only logs it', () => {
    const { log, lines } = keptLog();
    marbles(({ pipeline, expectEvents, at, scheduler }) => {
      const shown: number[] = [];
      const slow = defineHook({
        name: 'slow',
        observe() {
          shown.push(scheduler.frame);
          return NEVER;
        },
      });
      const run = pipeline(slow, { log }).start({ agent: 'agent' });
      expectEvents(run.reason(request, modelOf('a'))).toShow([
        '0 preReasoning',
        '0 reasoningChunk "a"',
        '0 reasoningChunk last',
        '0 postReasoning "a"',
        '0 |',
      ]);
      at(3_000, () => expect(shown).to.deep.equal([0, 500, 1_000, 1_500]));
    });
    expect(lines.map(({ msg }) => msg)).to.deep.equal(Array(4).fill('an observer failed'));
  });

  it('limits a chunk handler for each chunk', () => {
    marbles(({ run, model, expectEvents, scheduler }) => {
      const slow = defineHook({
        name: 'slow',
        timeoutMs: 5,
        on: { reasoningChunk: (chunk) => (chunk.delta === 'c' ? NEVER : of(chunk).pipe(delay(4, scheduler))) },
      });
      expectEvents(run(slow).reason(request, model([{ marbles: '(abc|)' }]))).toShow([
        '0 preReasoning',
        '4 reasoningChunk "a"',
        '8 reasoningChunk "b"',
        '13 error reasoning hook slow "…(on.reasoningChunk) did not complete within 5 ms…"',
        '13 |',
      ]);
    });
  });

  it('treats an Observable as late until it completes', () => {
    marbles(({ run, expectEvents }) => {
      const open = defineHook({
        name: 'open',
        timeoutMs: 5,
        on: { preCall: (event) => of(event).pipe(concatWith(NEVER)) },
      });
      expectEvents(run(open).begin([userMessage('hi')])).toShow([
        '5 preCall',
        '5 error call hook open "…did not complete within 5 ms…"',
        '5 |',
      ]);
    });
  });

  it('accepts a handler that finishes just before its timeout', () => {
    marbles(({ run, expectEvents, scheduler }) => {
      const just = defineHook({
        name: 'just',
        timeoutMs: 5,
        on: { preCall: (event) => timer(4, scheduler).pipe(map(() => event)) },
      });
      expectEvents(run(just).begin([userMessage('hi')])).toShow(['4 preCall "hi"', '4 |']);
    });
  });

  it('aborts the signal of a handler at its timeout', () => {
    marbles(({ run, expectEvents, at }) => {
      let signal: AbortSignal | undefined;
      const slow = defineHook({
        name: 'slow',
        timeoutMs: 5,
        onFailure: 'skip',
        on: {
          preCall(_, context) {
            signal = context.signal;
            return NEVER;
          },
        },
      });
      expectEvents(run(slow).begin([])).toShow(['5 error call hook slow "…within 5 ms…"', '5 preCall', '5 |']);
      at(4, () => expect(signal?.aborted).to.equal(false));
      at(6, () => expect(signal?.reason).to.include({ name: 'AbortError', message: 'time-out' }));
    });
  });

  it('ignores the result of a handler after its timeout', async () => {
    let late: () => void = () => {};
    const slow = defineHook({
      name: 'slow',
      timeoutMs: 2,
      onFailure: 'skip',
      on: {
        preCall: (event) =>
          new Promise<typeof event>((resolve) => {
            late = () => resolve({ ...event, messages: [] });
          }),
      },
    });
    const heard = hear(start([slow]).begin([userMessage('hi')]));
    await heard.ended;
    late();
    await Promise.resolve();
    expect(heard.lines('preCall')).to.deep.equal(['preCall "hi"']);
  });

  it('rejects promises in virtual time, names the hook, and leaves no unhandled rejection', () => {
    marbles(({ run, expectEvents }) => {
      const promising = defineHook({
        name: 'promising',
        on: {
          preCall: async () => {
            throw new Error('lost');
          },
        },
      });
      expectEvents(run(promising).begin([userMessage('hi')])).toShow([
        '0 preCall',
        '0 error call hook promising "Hook …promising… (on.preCall) returned a promise in virtual time…"',
        '0 |',
      ]);
    });
  });

  it('schedules nothing if all handlers are synchronous', () => {
    const scheduler = counting();
    const everything = defineHook({
      name: 'everything',
      on: {
        preReasoning: (event) => event,
        reasoningChunk: (chunk) => of(chunk),
        preActing: (event) => of(event),
        actingChunk: () => undefined,
      },
      around: { reasoning: (_, next) => next(), acting: (_, next) => next() },
      approve: () => of(verdict.allow()),
      observe: (event) => of(event),
    });
    const run = start([everything, recorder()], { scheduler });
    const phases = [
      run.begin([]),
      run.reason(request, modelOf('a', 'b')),
      run.act(callOf('t'), [toolOf('t', () => of('x'))]),
      run.end({ outcome: 'completed' }),
    ];
    for (const phase of phases) {
      const heard = hear(phase);
      expect(heard.error).to.equal(undefined);
      expect(heard.completed).to.equal(true);
    }
    expect(scheduler.scheduled).to.equal(0);
  });

  it('schedules nothing for operators that flush at once', () => {
    const scheduler = counting();
    const through = defineHook({
      name: 'through',
      through: { reasoningChunk: (chunks$) => chunks$.pipe(map((chunk) => chunk)) },
    });
    const heard = hear(start([through], { scheduler }).reason(request, modelOf('a')));
    expect(heard.lines('postReasoning')).to.deep.equal(['postReasoning "a"']);
    expect(scheduler.scheduled).to.equal(0);
  });

  it('sets no timer for handlers with an infinite time', () => {
    const scheduler = counting();
    const patient = defineHook({
      name: 'patient',
      timeoutMs: Number.POSITIVE_INFINITY,
      on: { preCall: () => NEVER, preActing: (event) => (event.toolCall.name === 'slow' ? NEVER : undefined) },
      approve: () => NEVER,
      observe: () => NEVER,
    });
    const flushing = defineHook({
      name: 'flushing',
      timeoutMs: Number.POSITIVE_INFINITY,
      through: { reasoningChunk: (chunks$) => chunks$.pipe(concatWith(NEVER)) },
    });
    const run = start([patient, flushing], { scheduler });
    const waits = [
      run.begin([]),
      run.reason(request, modelOf('a')),
      run.act(callOf('slow'), [toolOf('slow', () => of('x'))]),
      run.act(callOf('t'), [toolOf('t', () => of('x'))]),
    ];
    for (const wait of waits) {
      const heard = hear(wait);
      expect([heard.error, heard.completed]).to.deep.equal([undefined, false]);
      heard.subscription.unsubscribe();
    }
    expect(scheduler.scheduled).to.equal(0);
  });

  it('leaves no system timer after a wait that was answered or dropped', async () => {
    const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    // Mocha's own timer exists from the first pause.
    await pause();
    const before = timers();
    const [soon, never] = [timer(5), NEVER].map((answer$) =>
      defineHook({ name: 'late', on: { preCall: (event) => answer$.pipe(map(() => event)) } }),
    ) as [Hook, Hook];
    const dropped = hear(start([never]).begin([]));
    expect(timers()).to.equal(before + 1);
    dropped.subscription.unsubscribe();
    expect(timers()).to.equal(before);
    const answered = hear(start([soon]).begin([]));
    await pause(25);
    expect(answered.completed).to.equal(true);
    expect(timers()).to.equal(before);
  });

  it('leaves no timer after a gate handler that returned too many values', () => {
    const scheduler = counting();
    let signal: AbortSignal | undefined;
    const twice = defineHook({
      name: 'twice',
      on: {
        preActing(event, context) {
          signal = context.signal;
          return of(event, event).pipe(concatWith(NEVER));
        },
      },
    });
    const heard = hear(start([twice], { scheduler }).act(callOf('t'), [toolOf('t', () => 'x')]));
    expect(heard.lines('error')[0]).to.include('gave more than one event');
    expect(heard.of('postActing')[0]?.outcome).to.equal('denied');
    expect(scheduler.scheduled).to.equal(0);
    expect(signal?.aborted).to.equal(true);
  });

  it('stamps events with the time of the one scheduler and numbers them without gaps', () => {
    marbles(({ run, model, at }) => {
      const stamps: [number, number][] = [];
      const one = run();
      at(3, () =>
        one.reason(request, model([{ marbles: '-a--|' }])).subscribe(({ seq, time }) => stamps.push([seq, time])),
      );
      at(50, () => {
        one.end({ outcome: 'completed' }).subscribe(({ seq, time }) => stamps.push([seq, time]));
        expect(stamps).to.deep.equal([
          [0, 3],
          [1, 4],
          [2, 7],
          [3, 7],
          [4, 50],
        ]);
      });
    });
  });

  for (const late of [0, 5]) {
    it(`limits a handler that silently drops its subscriber${late ? ', later' : ''}`, () => {
      marbles(({ run, tool, model, at, scheduler }) => {
        const drops = (): Observable<never> =>
          new Observable((subscriber) => {
            if (late === 0) subscriber.unsubscribe();
            else scheduler.schedule(() => subscriber.unsubscribe(), late);
          });
        const bounded = (own: Omit<HookDefinition, 'name'>) =>
          run([defineHook({ name: 'drops', timeoutMs: 30, ...own })]);
        const ended: string[] = [];
        const hearEnd = (name: string, events$: Observable<SettledEvent>): void => {
          events$.subscribe({ complete: () => ended.push(`${name} ${scheduler.frame}`) });
        };
        hearEnd('gate', bounded({ on: { preReasoning: drops } }).reason(request, model(['a'])));
        hearEnd('approve', bounded({ approve: drops }).act(callOf('look'), [tool({ name: 'look', result: 'seen' })]));
        hearEnd('chunk', bounded({ on: { reasoningChunk: drops } }).reason(request, model(['a'])));
        at(100, () => expect(ended).to.have.members(['gate 30', 'approve 30', 'chunk 30']));
      });
    });
  }

  it('creates no signal for a hook that does not read it', () => {
    const original = globalThis.AbortController;
    let made = 0;
    globalThis.AbortController = class extends original {
      constructor() {
        super();
        made += 1;
      }
    };
    try {
      const late = defineHook({ name: 'late', on: { preCall: (event) => defer(() => of(event)) } });
      hear(start([late]).begin([]));
    } finally {
      globalThis.AbortController = original;
    }
    expect(made).to.equal(0);
  });
});

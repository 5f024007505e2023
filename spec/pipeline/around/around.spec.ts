import { expect } from 'chai';
import {
  catchError,
  concat,
  concatMap,
  config,
  delay,
  EMPTY,
  finalize,
  forkJoin,
  ignoreElements,
  map,
  merge,
  mergeMap,
  NEVER,
  Observable,
  of,
  race,
  retry,
  type SchedulerLike,
  Subject,
  takeLast,
  takeUntil,
  tap,
  throwError,
  timeout,
  timer,
} from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { modify } from '../../../lib/events/decisions/modify.ts';
import { respond } from '../../../lib/events/decisions/respond.ts';
import { retry as retryStep } from '../../../lib/events/decisions/retry.ts';
import { textOf, userMessage } from '../../../lib/events/parts/messages.ts';
import { createPipeline } from '../../../lib/pipeline/create-pipeline.ts';
import { defineHook } from '../../../lib/pipeline/define/define-hook.ts';
import type { Hook, HookDefinition, Wrappers } from '../../../lib/pipeline/define/hook.ts';
import type { Model, ModelChunk, ModelRequest } from '../../../lib/pipeline/define/model.ts';
import type { ToolItem } from '../../../lib/pipeline/define/tool.ts';
import { rewritten } from '../../../lib/pipeline/run/step-failure.ts';
import { marbles } from '../../../lib/testing/marbles/marbles.ts';
import { callOf, hear, keptLog, modelOf, pause, request, start, toolOf } from '../scene.ts';

const around = (name: string, reasoning: NonNullable<Wrappers['reasoning']>, own: Partial<HookDefinition> = {}): Hook =>
  defineHook({ name, around: { reasoning }, ...own });
const aroundTool = (name: string, acting: NonNullable<Wrappers['acting']>, own: Partial<HookDefinition> = {}): Hook =>
  defineHook({ name, around: { acting }, ...own });
const text = (delta: string): ModelChunk => ({ type: 'text', delta });

/** A model that streams `Hel` and fails the given number of times, then streams `Hel`, `lo`. */
function flaky(times: number): Model & { requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  const model: Model = (given) => {
    requests.push(given);
    return requests.length > times
      ? of(text('Hel'), text('lo'))
      : concat(
          of(text('Hel')),
          throwError(() => new Error('line is down')),
        );
  };
  return Object.assign(model, { requests });
}

const reason = (hooks: readonly Hook[], model: Model) => {
  const run = start(hooks);
  const heard = hear(run.reason(request, model));
  return { run, heard, message: textOf(heard.of('postReasoning')[0]?.message) };
};

describe('around', () => {
  it('tears down in the order of RxJS: the source first, then its finalize', () => {
    const order: string[] = [];
    const note = (what: string) => () => void order.push(what);
    const model: Model = () =>
      new Observable<ModelChunk>(() => note('source')).pipe(finalize(note('first')), finalize(note('second')));
    const wrapper = around('w', (_, next) => next().pipe(finalize(note('third')), finalize(note('fourth'))));
    for (const hooks of [[], [wrapper]]) start(hooks).reason(request, model).subscribe().unsubscribe();
    expect(order).to.deep.equal(['source', 'first', 'second', 'source', 'first', 'second', 'third', 'fourth']);
  });

  it('asks no model or inner wrapper for an operator that has already ended', async () => {
    const asked: string[] = [];
    const stopped: unknown[] = [];
    const outer = around('outer', (_, next) => forkJoin([EMPTY, next()]).pipe(map(() => text(''))), { priority: 10 });
    const inner = around('inner', (_, next) => {
      asked.push('inner');
      return next();
    });
    config.onStoppedNotification = (notification) => void stopped.push(notification);
    try {
      reason([outer, inner], modelOf('a'));
      // RxJS notifies in a separate turn.
      await pause(5);
    } finally {
      config.onStoppedNotification = null;
    }
    expect([asked, stopped]).to.deep.equal([[], []]);
  });

  it('wraps with the lowest priority number outermost', () => {
    const order: string[] = [];
    const wrap = (name: string, priority: number) =>
      around(
        name,
        (_, next) => {
          order.push(`${name} asks`);
          return next().pipe(tap({ complete: () => order.push(`${name} ends`) }));
        },
        { priority },
      );
    reason([wrap('inner', 20), wrap('outer', 10)], modelOf('a'));
    expect(order).to.deep.equal(['outer asks', 'inner asks', 'inner ends', 'outer ends']);
  });

  it('wraps by aroundPriority for any priority of the other parts', () => {
    const order: string[] = [];
    const wrap = (name: string, priority: number, aroundPriority?: number) =>
      defineHook({
        name,
        priority,
        ...(aroundPriority !== undefined && { aroundPriority }),
        on: { postReasoning: () => void order.push(name) },
        around: {
          reasoning: (_, next) => {
            order.push(`${name} asks`);
            return next();
          },
        },
      });
    reason([wrap('late', 870, 15), wrap('usual', 100), wrap('first', 10)], modelOf('a'));
    expect(order).to.deep.equal(['first asks', 'late asks', 'usual asks', 'first', 'usual', 'late']);
    expect(() => wrap('wrong', 1, Number.NaN)).to.throw(/aroundPriority/);
  });

  it('calls whenIdle after the hooks have handled earlier chunks', () => {
    const told: string[] = [];
    const scheduler = new TestScheduler(() => {});
    scheduler.run(() => {
      const slow = defineHook({
        name: 'slow',
        on: { reasoningChunk: () => timer(5, scheduler).pipe(ignoreElements()) },
      });
      const asks = around('asks', (_, next) => {
        next.whenIdle(() => told.push(`${scheduler.now()} before`));
        return next().pipe(tap(() => next.whenIdle(() => told.push(`${scheduler.now()} done`))));
      });
      const model = () => of(text('a'), { type: 'finish', finishReason: 'stop' } as ModelChunk);
      createPipeline([asks, slow], { scheduler }).start({ agent: 'a' }).reason({ messages: [] }, model).subscribe();
    });
    // The text, and the end of its block.
    expect(told).to.deep.equal(['0 before', '0 done', '10 done']);
  });

  for (const [how, callback] of Object.entries({
    synchronously: () => {
      throw new Error('idle bug');
    },
    'with a promise': () => Promise.reject(new Error('idle bug')),
  })) {
    it(`reports a callback that throws ${how} as the wrapper's failure, and calls the others`, async () => {
      const told: string[] = [];
      const slow = defineHook({ name: 'slow', on: { reasoningChunk: (chunk) => timer(2).pipe(map(() => chunk)) } });
      const asks = (name: string, call: () => unknown) =>
        around(name, (_, next) => next().pipe(tap(() => next.whenIdle(call as () => void))));
      const hooks = [asks('throws', callback), asks('waits', () => told.push('called back')), slow];
      const run = start(hooks, { log: keptLog().log });
      const heard = hear(run.reason(request, modelOf('a')));
      await heard.ended;
      expect(heard.lines('error')).to.deep.equal([
        'error reasoning hook throws "Hook \\"throws\\" failed in around.reasoning: idle bug"',
      ]);
      expect(told).to.deep.equal(['called back']);
    });
  }

  it('releases the resources of a wrapper before hooks see the end of its step', async () => {
    const order: string[] = [];
    const locks = defineHook({
      name: 'locks',
      around: {
        reasoning: (_, next) => next().pipe(finalize(() => order.push('freed'))),
        acting: (_, next) => next().pipe(finalize(() => order.push('freed'))),
      },
      on: {
        postReasoning: () => void order.push('postReasoning'),
        postActing: () => void order.push('postActing'),
      },
    });
    const run = start([locks]);
    const model: Model = () => timer(1).pipe(map(() => text('a')));
    await hear(run.reason(request, model)).ended;
    await hear(run.act(callOf('t'), [toolOf('t', () => pause(1).then(() => 'x'))])).ended;
    expect(order).to.deep.equal(['freed', 'postReasoning', 'freed', 'postActing']);
  });

  it('passes a changed request and keeps its other fields', () => {
    const model = flaky(0);
    reason([around('other', (_, next) => next({ model: 'small' })), around('plain', (_, next) => next())], model);
    expect(model.requests).to.deep.equal([{ ...request, tools: [], options: {}, model: 'small' }]);
  });

  it('sees the settled event', () => {
    const seen: unknown[] = [];
    const changing = defineHook({
      name: 'changing',
      on: { preReasoning: (event) => modify(event, { messages: [userMessage('changed')] }) },
    });
    const watching = around('watching', (event, next) => {
      seen.push([event.seq, textOf(event.messages[0])]);
      return next();
    });
    reason([watching, changing], modelOf('a'));
    expect(seen).to.deep.equal([[0, 'changed']]);
  });

  it('passes each wrapper the request of the wrapper outside it', () => {
    const told: (string | undefined)[] = [];
    const other = Object.assign(modelOf('x'), { modelId: 'other' });
    const outer = around('outer', (_, next) => next({ messages: [userMessage('shorter')] }, other), { priority: 1 });
    const inner = around('inner', (event, next) => {
      told.push(event.type, event.model, textOf(event.messages[0]));
      expect(event).to.be.frozen;
      return next();
    });
    reason([outer, inner], modelOf('y'));
    expect(told).to.deep.equal(['preReasoning', 'other', 'shorter']);
  });

  it('receives raw chunks, before any stage', () => {
    const upper = defineHook({
      name: 'upper',
      priority: 1,
      on: { reasoningChunk: (chunk) => modify(chunk, { delta: chunk.delta.toUpperCase() }) },
    });
    const seen: unknown[] = [];
    const { message } = reason(
      [upper, around('raw', (_, next) => next().pipe(tap((chunk) => seen.push(chunk))))],
      modelOf('a'),
    );
    expect(seen).to.deep.equal([text('a')]);
    expect(message).to.equal('A');
  });

  it('cannot change the input of a tool, because next takes no argument', () => {
    const got: unknown[] = [];
    const tool = toolOf('t', (input) => {
      got.push(input);
      return 'x';
    });
    const sly = aroundTool('sly', (_, next) => (next as (input: unknown) => ReturnType<typeof next>)({ n: 666 }));
    hear(start([sly]).act(callOf('t', { n: 1 }), [tool]));
    expect(got).to.deep.equal([{ n: 1 }]);
  });

  it('wraps only matching tools', () => {
    const wrapped = (name: string) => {
      const only = aroundTool('only', () => of<ToolItem>('wrapped'), { match: { tools: ['a'] } });
      return hear(start([only]).act(callOf(name), [toolOf(name, () => 'raw')])).of('postActing')[0]?.result.content;
    };
    expect(['a', 'b'].map(wrapped)).to.deep.equal(['wrapped', 'raw']);
  });

  it('answers from a cache without a model request', () => {
    const model = flaky(0);
    const { heard, message, run } = reason([around('cache', () => of(text('cached')))], model);
    expect(model.requests).to.deep.equal([]);
    expect(message).to.equal('cached');
    expect(heard.of('reasoningChunk')[0]?.attempt).to.equal(1);
    expect(run.fatal).to.equal(undefined);
  });

  it('falls back to another model', () => {
    const fallback = around('fallback', (_, next) => next().pipe(catchError(() => of(text('fallback')))));
    const { message, heard } = reason([fallback], () => throwError(() => new Error('down')));
    expect(message).to.equal('fallback');
    expect(heard.of('error')).to.deep.equal([]);
  });

  it('times out in virtual time', () => {
    marbles(({ run, expectEvents, scheduler }) => {
      const bounded = around('bounded', (_, next) => next().pipe(timeout({ first: 30, scheduler })));
      expectEvents(run(bounded).reason(request, () => NEVER)).toShow([
        '0 preReasoning',
        '30 error reasoning hook bounded "…Timeout…"',
        '30 |',
      ]);
    });
  });

  it('reports an error of the model as such across any number of wrappers', () => {
    const wrap = (name: string) => around(name, (_, next) => next());
    const { heard } = reason([wrap('a'), wrap('b')], () => throwError(() => new Error('down')));
    expect(heard.lines('error')).to.deep.equal(['error reasoning model "down"']);
  });

  it('reports a rethrown error with its original source', () => {
    const wording = (name: string) =>
      around(name, (_, next) =>
        next().pipe(
          catchError((thrown) => throwError(() => rewritten(new Error(`${name}: ${thrown.message}`), thrown))),
        ),
      );
    const model = reason([wording('b'), wording('a')], flaky(9)).heard.of('error')[0];
    expect(model?.source).to.equal('model');
    expect(model?.error.message).to.equal('b: a: line is down');
    const broken = around('broken', (_, next) => next().pipe(mergeMap(() => throwError(() => new Error('oops')))), {
      priority: 900,
    });
    const hook = reason([wording('b'), broken], modelOf('a')).heard.of('error')[0];
    expect(hook).to.include({ source: 'hook', hook: 'broken' });
    expect(hook?.error.cause?.message).to.equal('b: oops');
    const sly = around('sly', (_, next) =>
      next().pipe(mergeMap(() => throwError(() => rewritten(new Error('mine'), new Error('of nobody'))))),
    );
    expect(reason([sly], modelOf('a')).heard.of('error')[0]).to.include({ source: 'hook', hook: 'sly' });
  });

  it('reports the wrapper that threw, not the outer ones', () => {
    const broken = around('broken', (_, next) => next().pipe(mergeMap(() => throwError(() => new Error('oops')))), {
      priority: 20,
    });
    const { heard } = reason([around('outer', (_, next) => next(), { priority: 10 }), broken], modelOf('a'));
    expect(heard.of('error')[0]).to.include({ source: 'hook', hook: 'broken' });
  });

  describe('attempts', () => {
    it('numbers every subscription to next and keeps only the last message', () => {
      const { heard, message } = reason([around('retries', (_, next) => next().pipe(retry(2)))], flaky(2));
      expect(heard.lines('reasoningChunk')).to.deep.equal([
        'reasoningChunk "Hel"',
        'reasoningChunk "Hel" attempt 2',
        'reasoningChunk "Hel" attempt 3',
        'reasoningChunk "lo" attempt 3',
        'reasoningChunk last attempt 3',
      ]);
      expect(message).to.equal('Hello');
    });

    it('keep chunks that a wrapper emits before a retry', () => {
      const prefixed = around('prefixed', (_, next) => concat(of(text('pre ')), next()).pipe(retry(1)));
      expect(reason([prefixed], flaky(0)).message).to.equal('pre Hello');
      const { heard, message } = reason([prefixed], flaky(1));
      expect(message).to.equal('pre Hello');
      expect(heard.lines('reasoningChunk').slice(2)).to.deep.equal([
        'reasoningChunk "pre " attempt 2',
        'reasoningChunk "Hel" attempt 2',
        'reasoningChunk "lo" attempt 2',
        'reasoningChunk last attempt 2',
      ]);
    });

    it('drop chunks held by operators, without a flush', () => {
      let made = 0;
      const hold = defineHook({
        name: 'hold',
        through: {
          reasoningChunk(chunks$) {
            made += 1;
            return chunks$.pipe(takeLast(99));
          },
        },
      });
      const { heard, message } = reason([around('retries', (_, next) => next().pipe(retry(2))), hold], flaky(2));
      expect(heard.lines('reasoningChunk')).to.deep.equal([
        'reasoningChunk "Hel" attempt 3',
        'reasoningChunk "lo" attempt 3',
        'reasoningChunk last attempt 3',
      ]);
      expect(message).to.equal('Hello');
      expect(made).to.equal(3);
    });

    it('drop the pending work of an asynchronous handler', () => {
      marbles(({ run, expectEvents, scheduler }) => {
        const slow = defineHook({
          name: 'slow',
          on: { reasoningChunk: (chunk) => of(chunk).pipe(delay(5, scheduler)) },
        });
        const retries = around('retries', (_, next) =>
          next().pipe(retry({ count: 1, delay: () => of(1).pipe(delay(2, scheduler)) })),
        );
        expectEvents(run([slow, retries]).reason(request, flaky(1))).toShow([
          '0 preReasoning',
          '7 reasoningChunk "Hel" attempt 2',
          '12 reasoningChunk "lo" attempt 2',
          '17 reasoningChunk last attempt 2',
          '17 postReasoning "Hello"',
          '17 |',
        ]);
      });
    });

    it('drop tool calls and usage of a retracted attempt', () => {
      const model: Model = (() => {
        let asked = 0;
        return () => {
          asked += 1;
          const first: ModelChunk[] = [
            { type: 'toolCall', toolCall: callOf('rm') },
            { type: 'finish', finishReason: 'toolCalls', usage: { inputTokens: 9, outputTokens: 9 } },
          ];
          return asked === 1
            ? concat(
                of(...first),
                throwError(() => new Error('late')),
              )
            : of(text('safe'));
        };
      })();
      const { heard } = reason([around('retries', (_, next) => next().pipe(retry(1)))], model);
      const [post] = heard.of('postReasoning');
      expect(post?.message.parts).to.deep.equal([{ type: 'text', text: 'safe' }]);
      expect(post).not.to.have.property('usage');
      expect(post?.finishReason).to.equal('stop');
    });

    it('continue their count across retries that a hook decides after an error', () => {
      let errors = 0;
      const stubborn = defineHook({
        name: 'stubborn',
        on: {
          error(event) {
            errors += 1;
            return event.phase === 'reasoning' ? retryStep(event) : undefined;
          },
        },
      });
      const { heard, message } = reason([around('retries', (_, next) => next().pipe(retry(1))), stubborn], flaky(3));
      expect(heard.of('preReasoning').map(({ attempt }) => attempt)).to.deep.equal([1, 3]);
      expect(heard.of('reasoningChunk').map(({ attempt }) => attempt)).to.deep.equal([1, 2, 3, 4, 4, 4]);
      expect([errors, message]).to.deep.equal([1, 'Hello']);
    });

    it('retract the chunks of a tool too', () => {
      let ran = 0;
      const tool = toolOf('t', () => {
        ran += 1;
        return ran === 1
          ? concat(
              of('half'),
              throwError(() => new Error('down')),
            )
          : of('whole');
      });
      const heard = hear(start([aroundTool('retries', (_, next) => next().pipe(retry(1)))]).act(callOf('t'), [tool]));
      expect(heard.lines('actingChunk', 'postActing')).to.deep.equal([
        'actingChunk call_1 "half"',
        'actingChunk call_1 "whole" attempt 2',
        'actingChunk call_1 last attempt 2',
        'postActing call_1 executed "whole"',
      ]);
    });

    it('let a wrapper call next twice in sequence and keep the second answer', () => {
      const { message } = reason([around('twice', (_, next) => concat(next(), next()))], modelOf('a', 'b'));
      expect(message).to.equal('ab');
    });

    /** A model with answers in virtual time: a slow first one, then faster ones. */
    const paced = (times: readonly number[], scheduler: SchedulerLike) => {
      const cut: number[] = [];
      let asked = 0;
      const model: Model = () => {
        const own = asked++;
        return concat(
          of(text(`${own}a`)).pipe(delay(times[own] as number, scheduler)),
          of(text(`${own}b`)).pipe(delay(times[own] as number, scheduler)),
        ).pipe(finalize(() => cut.push(own, scheduler.now())));
      };
      return { model, cut };
    };

    it('end when a concurrent one starts, and mix nothing of both', () => {
      marbles(({ run, expectEvents, scheduler, flush }) => {
        const { model, cut } = paced([3, 2], scheduler);
        const both = around('both', (_, next) => merge(next(), next()));
        expectEvents(run(both).reason(request, model)).toShow([
          '0 preReasoning',
          '2 reasoningChunk "1a" attempt 2',
          '4 reasoningChunk "1b" attempt 2',
          '4 reasoningChunk last attempt 2',
          '4 postReasoning "1a1b"',
          '4 |',
        ]);
        flush();
        expect(cut).to.deep.equal([0, 0, 1, 4]);
      });
    });

    it('retract the text so far when a hedge starts, and wait for the hedge', () => {
      marbles(({ run, expectEvents, scheduler }) => {
        const { model } = paced([2, 4], scheduler);
        const hedge = around('hedge', (_, next) => merge(next(), timer(3, scheduler).pipe(mergeMap(() => next()))));
        expectEvents(run(hedge).reason(request, model)).toShow([
          '0 preReasoning',
          '2 reasoningChunk "0a"',
          '7 reasoningChunk "1a" attempt 2',
          '11 reasoningChunk "1b" attempt 2',
          '11 reasoningChunk last attempt 2',
          '11 postReasoning "1a1b"',
          '11 |',
        ]);
      });
    });

    it('let the latest one win a race, even if an earlier one would end first', () => {
      marbles(({ run, expectEvents, scheduler }) => {
        const { model } = paced([1, 4], scheduler);
        const racing = around('racing', (_, next) => race(next(), next()));
        expectEvents(run(racing).reason(request, model)).toShow([
          '0 preReasoning',
          '4 reasoningChunk "1a" attempt 2',
          '8 reasoningChunk "1b" attempt 2',
          '8 reasoningChunk last attempt 2',
          '8 postReasoning "1a1b"',
          '8 |',
        ]);
      });
    });

    it('start again after a late first answer', () => {
      marbles(({ run, expectEvents, scheduler }) => {
        const { model } = paced([99, 2], scheduler);
        const late = around('late', (_, next) => next().pipe(timeout({ first: 10, with: () => next(), scheduler })));
        expectEvents(run(late).reason(request, model)).toShow([
          '0 preReasoning',
          '12 reasoningChunk "1a" attempt 2',
          '14 reasoningChunk "1b" attempt 2',
          '14 reasoningChunk last attempt 2',
          '14 postReasoning "1a1b"',
          '14 |',
        ]);
      });
    });

    it('are separate for nested wrappers', () => {
      marbles(({ run, expectEvents, scheduler }) => {
        const { model } = paced([3, 3, 1], scheduler);
        const both = around('both', (_, next) => merge(next(), next()), { priority: 1 });
        const again = around('again', (_, next) => next().pipe(timeout({ first: 2, with: () => next(), scheduler })));
        expectEvents(run([both, again]).reason(request, model)).toShow([
          '0 preReasoning',
          '3 reasoningChunk "2a" attempt 3',
          '4 reasoningChunk "2b" attempt 3',
          '4 reasoningChunk last attempt 3',
          '4 postReasoning "2a2b"',
          '4 |',
        ]);
      });
    });

    it('cut off the earlier run of a tool too, and ignore its error', () => {
      marbles(({ run, expectEvents, scheduler }) => {
        let ran = 0;
        const tool = toolOf('t', () => {
          ran += 1;
          return ran === 1
            ? concat(
                of('half').pipe(delay(2, scheduler)),
                throwError(() => new Error('down')),
              )
            : of('whole').pipe(delay(4, scheduler));
        });
        const both = aroundTool('both', (_, next) => merge(next(), next()));
        expectEvents(run(both).act(callOf('t'), [tool])).toShow([
          '0 preActing call_1 t {}',
          '4 actingChunk call_1 "whole" attempt 2',
          '4 actingChunk call_1 last attempt 2',
          '4 postActing call_1 executed "whole"',
          '4 |',
        ]);
      });
    });
  });

  describe('failing open', () => {
    it('skips a wrapper that fails before next, and retracts its output', () => {
      const half = around(
        'half',
        () =>
          concat(
            of(text('half')),
            throwError(() => new Error('oops')),
          ),
        { onFailure: 'skip' },
      );
      const { heard, message, run } = reason([half], modelOf('whole'));
      expect(message).to.equal('whole');
      expect(heard.of('reasoningChunk').at(-1)?.attempt).to.equal(2);
      expect(heard.of('error').map((event) => event.hook)).to.deep.equal(['half']);
      expect(run.fatal).to.equal(undefined);
    });

    it('does not run a tool twice if the wrapper fails after next', () => {
      let ran = 0;
      const tool = toolOf('t', () => {
        ran += 1;
        return of('x');
      });
      const broken = aroundTool(
        'broken',
        (_, next) => next().pipe(mergeMap(() => throwError(() => new Error('oops')))),
        { onFailure: 'skip' },
      );
      const heard = hear(start([broken]).act(callOf('t'), [tool]));
      expect(ran).to.equal(1);
      expect(heard.of('postActing')[0]?.outcome).to.equal('failed');
    });
  });

  it('aborts its signal when the step is cancelled', () => {
    let signal: AbortSignal | undefined;
    const watching = around('watching', (_, next, context) => {
      signal = context.signal;
      return next();
    });
    const heard = hear(start([watching]).reason(request, () => NEVER));
    expect(signal?.aborted).to.equal(false);
    heard.subscription.unsubscribe();
    expect(signal?.aborted).to.equal(true);
  });

  describe('with a stored next', () => {
    const late = 'a hook subscribed to `next` after the end of its step; nothing was run';
    for (const how of ['has ended', 'was cancelled'])
      it(`runs nothing after a step that ${how}, and logs it`, () => {
        const { log, lines } = keptLog();
        const kept: (() => Observable<unknown>)[] = [];
        const ran: string[] = [];
        const keeping = defineHook({
          name: 'keeping',
          around: {
            reasoning(_, next) {
              kept.push(next);
              return how === 'has ended' ? of(text('cached')) : NEVER;
            },
            acting(_, next) {
              kept.push(next);
              return how === 'has ended' ? of('cached') : NEVER;
            },
          },
        });
        const run = start([keeping], { log });
        const model: Model = () => {
          ran.push('model');
          return of(text('fresh'));
        };
        const tool = toolOf('t', () => {
          ran.push('tool');
          return 'fresh';
        });
        const steps = [run.reason(request, model), run.act(callOf('t'), [tool])].map(hear);
        for (const { subscription } of steps) subscription.unsubscribe();
        const answers: unknown[] = [];
        for (const next of kept)
          next().subscribe({ next: (item) => answers.push(item), complete: () => answers.push('|') });
        expect([ran, answers]).to.deep.equal([[], ['|', '|']]);
        expect(lines.map(({ msg }) => msg)).to.deep.equal([late, late]);
      });
  });

  it('completes silenced calls, also if that ends the active attempt', () => {
    const stop = new Subject<void>();
    let asked = 0;
    const model: Model = () => {
      asked += 1;
      const first = asked === 1;
      return new Observable((subscriber) => {
        subscriber.next(text('a'));
        return () => first && stop.next();
      });
    };
    const both = around('both', (_, next) => merge(next(), next().pipe(takeUntil(stop))));
    expect(reason([both], model).heard.completed).to.equal(true);
  });

  it('emits nothing that a call sends during its cancellation', async () => {
    let begun = 0;
    const tool = toolOf('t', (_, { emit, signal }) => {
      begun += 1;
      const nth = begun;
      void emit(`begin ${nth}`);
      signal.addEventListener('abort', () => void emit(`bye ${nth}`));
      return nth === 1 ? new Promise(() => {}) : pause(5).then(() => 'done');
    });
    const hedge = aroundTool(
      'hedge',
      (_, next) =>
        new Observable<ToolItem>((subscriber) => {
          next().subscribe(subscriber);
          void pause(5).then(() => next().subscribe(subscriber));
        }),
    );
    const heard = hear(start([hedge]).act(callOf('t'), [tool]));
    await heard.ended;
    const said = heard.of('actingChunk').map(({ content }) => content);
    expect(said).to.deep.equal(['begin 1', 'begin 2', '']);
  });

  it('recovers a failed model step with the answer of a hook on the error', () => {
    const saver = defineHook({
      name: 'saver',
      on: { error: (event) => (event.phase === 'reasoning' ? respond(event, 'sorry') : undefined) },
    });
    const { heard, run } = reason([saver], flaky(9));
    expect(heard.lines('postReasoning')).to.deep.equal(['postReasoning "sorry" responded']);
    expect(run.fatal).to.equal(undefined);
  });

  it('may merge a side channel into the answer', () => {
    const aside = around('aside', (_, next) =>
      merge(
        of<ModelChunk>({ type: 'thinking', delta: 'aside' }),
        next().pipe(
          concatMap((chunk) => of(chunk)),
          map((chunk) => chunk),
        ),
      ),
    );
    const { heard } = reason([aside], modelOf('a'));
    expect(heard.of('postReasoning')[0]?.message.parts.map((part) => part.type)).to.deep.equal(['thinking', 'text']);
  });
});

import { expect } from 'chai';
import { concat, concatMap, defer, from, map, of, range, retry, throwError, timer } from 'rxjs';
import { modify } from '../../lib/events/decisions/modify.ts';
import { retry as retryStep } from '../../lib/events/decisions/retry.ts';
import type { SettledEvent } from '../../lib/events/hook-event.ts';
import { createPipeline } from '../../lib/pipeline/create-pipeline.ts';
import { defineHook } from '../../lib/pipeline/define/define-hook.ts';
import { verdict } from '../../lib/pipeline/define/hook.ts';
import type { Model, ModelChunk } from '../../lib/pipeline/define/model.ts';
import { drive } from '../../lib/pipeline/flow/drive.ts';
import { createLifetime } from '../../lib/pipeline/flow/lifetime.ts';
import { callOf, hear, request, start, toolOf } from './scene.ts';

const MANY = 10_000;
const many$ = range(0, MANY).pipe(map((): ModelChunk => ({ type: 'text', delta: 'x' })));

describe('the stack', () => {
  const stages = {
    'no hooks': [],
    'a plain handler': [defineHook({ name: 'on', on: { reasoningChunk: () => undefined } })],
    'a changing handler': [
      defineHook({ name: 'on', on: { reasoningChunk: (chunk) => modify(chunk, { delta: chunk.delta }) } }),
    ],
    'a handler that gives Observables': [defineHook({ name: 'on', on: { reasoningChunk: (chunk) => of(chunk) } })],
    'a handler that gives arrays': [defineHook({ name: 'on', on: { reasoningChunk: (chunk) => [chunk] } })],
    'five operators': [1, 2, 3, 4, 5].map((n) =>
      defineHook({
        name: `through ${n}`,
        through: { reasoningChunk: (chunks$) => chunks$.pipe(concatMap((chunk) => of(chunk))) },
      }),
    ),
    'a wrapper': [
      defineHook({ name: 'around', around: { reasoning: (_, next) => next().pipe(concatMap((chunk) => of(chunk))) } }),
    ],
    'an observer that gives Observables': [defineHook({ name: 'observe', observe: (event) => of(event) })],
  };
  for (const [what, hooks] of Object.entries(stages)) {
    it(`does not overflow for ${MANY} synchronous chunks through ${what}`, () => {
      const heard = hear(start(hooks).reason(request, () => many$));
      expect(heard.error).to.equal(undefined);
      expect(heard.of('reasoningChunk')).to.have.length(MANY + 1);
    });
  }

  it('does not overflow for an async iterable', async () => {
    const model: Model = async function* () {
      for (let n = 0; n < MANY; n++) yield { type: 'text', delta: 'x' };
    };
    const heard = hear(start([]).reason(request, model));
    await heard.ended;
    expect(heard.of('reasoningChunk')).to.have.length(MANY + 1);
  });

  it('does not overflow when a handler that became synchronous drains a full queue', async () => {
    let first = true;
    const lazy = defineHook({
      name: 'lazy',
      on: {
        reasoningChunk(chunk) {
          if (!first) return of(chunk);
          first = false;
          return timer(5).pipe(map(() => chunk));
        },
      },
    });
    const heard = hear(start([lazy], { buffer: { chunks: MANY * 2 } }).reason(request, () => many$));
    await heard.ended;
    expect(heard.lines('error')).to.deep.equal([]);
    expect(heard.of('reasoningChunk')).to.have.length(MANY + 1);
  });

  it('does not overflow when an observer that became synchronous drains a full queue', async () => {
    let first = true;
    let seen = 0;
    const lazy = defineHook({
      name: 'lazy',
      observe(event) {
        seen += 1;
        if (!first) return of(event);
        first = false;
        return timer(5);
      },
    });
    const pipeline = createPipeline([lazy]);
    const run = pipeline.start({ agent: 'agent' });
    const tool = toolOf('t', () => 'x');
    for (let n = 0; n < 2_000; n++) hear(run.act(callOf('t', {}, `call_${n}`), [tool]));
    await pipeline.flush();
    expect(seen).to.equal(4_000);
  });

  const handlers: Readonly<Record<string, (n: number) => boolean>> = {
    'give Observables': () => true,
    'give an Observable every other time': (n) => n % 2 === 1,
  };
  for (const [what, late] of Object.entries(handlers)) {
    it(`does not overflow for ${MANY} consecutive gate handlers that ${what}`, () => {
      const hooks = Array.from({ length: MANY }, (_, n) =>
        defineHook({
          name: `hook ${n}`,
          on: {
            preCall(event) {
              const next = n === MANY - 1 ? modify(event, { messages: [] }) : event;
              return late(n) ? of(next) : next;
            },
          },
        }),
      );
      const heard = hear(start(hooks).begin(request.messages));
      expect(heard.of('preCall').map(({ messages }) => messages)).to.deep.equal([[]]);
      expect(heard.lines('error')).to.deep.equal([]);
    });

    it(`does not overflow for ${MANY} consecutive approvers that ${what}`, () => {
      let judged = 0;
      const hooks = Array.from({ length: MANY }, (_, n) =>
        defineHook({
          name: `hook ${n}`,
          approve() {
            judged += 1;
            return late(n) ? of(verdict.allow()) : verdict.allow();
          },
        }),
      );
      const heard = hear(start(hooks).act(callOf('t', {}), [toolOf('t', () => 'x')]));
      expect(heard.of('postActing').map(({ outcome }) => outcome)).to.deep.equal(['executed']);
      expect(judged).to.equal(MANY);
    });
  }

  it('does not overflow for many attempts', () => {
    let asked = 0;
    const model: Model = () =>
      defer(() => {
        asked += 1;
        return asked <= 500 ? throwError(() => new Error('down')) : of<ModelChunk>({ type: 'text', delta: 'up' });
      });
    const stubborn = defineHook({ name: 'stubborn', around: { reasoning: (_, next) => next().pipe(retry(500)) } });
    expect(hear(start([stubborn]).reason(request, model)).lines('postReasoning')).to.deep.equal(['postReasoning "up"']);
  });

  it('does not overflow for many retries decided by hooks', () => {
    const stubborn = defineHook({
      name: 'stubborn',
      on: { error: (event) => (event.phase === 'reasoning' ? retryStep(event) : undefined) },
    });
    const heard = hear(
      start([stubborn], { maxRetries: 500 }).reason(request, () => throwError(() => new Error('down'))),
    );
    expect(heard.of('preReasoning')).to.have.length(501);
  });

  it('does not overflow for a process of many synchronous steps', () => {
    const event = { type: 'preCall' } as SettledEvent;
    let count = 0;
    const events$ = drive(function* () {
      for (let n = 0; n < MANY; n++) {
        yield event;
        yield of(event, event);
        yield { wait: from([1, 2, 3]) };
        yield concat(of(event), of(event));
      }
    }, createLifetime());
    events$.subscribe(() => {
      count += 1;
    });
    expect(count).to.equal(5 * MANY);
  });
});

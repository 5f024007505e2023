import { type Observable, tap } from 'rxjs';
import type { Stage } from '../define/plan.ts';
import type { Settings } from '../settings.ts';
import type { Effect, RecordedStep } from './read-step.ts';
import type { Tracer } from './tracer.ts';

/** The effects of the wrappers of one step. They end after the chunks, so they are listed on the event that ends the step. */
export interface AroundTrace {
  /** Records a call of a wrapper: one per subscription of the outer wrapper. */
  watch(stage: Stage): AroundWatch;
  /** Adds the effects so far to the steps of `event`. */
  settle(event: object): void;
}

/** One call of a wrapper. */
export interface AroundWatch {
  /** Called when the wrapper subscribes to `next`. `changed` lists the fields of the request that it changed. */
  asked<T>(inner$: Observable<T>, changed: readonly string[]): Observable<T>;
  /** Records the output of the wrapper. */
  gives<T>(given$: Observable<T>): Observable<T>;
  failed(reason: string): void;
}

type Called = Pick<RecordedStep, 'effect' | 'ms'>;

/** `stages` are all wrappers of the step, outermost first. `applies` returns whether one is called. */
export function createAroundTrace(
  { tracer, settings }: { readonly tracer: Tracer | undefined; readonly settings: Settings },
  stages: readonly Stage[],
  applies: (stage: Stage) => boolean,
): AroundTrace {
  const calls = new Map<Stage, (() => Called)[]>();
  return {
    watch(stage) {
      const { effect, ...call } = watchCall(() => settings.scheduler.now());
      calls.set(stage, [...(calls.get(stage) ?? []), effect]);
      return call;
    },
    settle(event) {
      for (const stage of stages) {
        const { hook } = stage;
        for (const called of calls.get(stage) ?? [])
          tracer?.step({ hook, stage: 'around', before: event, after: event, ...called() });
        if (!calls.has(stage))
          tracer?.skip(event, hook, 'around', applies(stage) ? 'was not reached' : 'does not match');
      }
    },
  };
}

function watchCall(now: () => number): AroundWatch & { effect(): Called } {
  const began = now();
  /** Items of `next` that the wrapper has not forwarded yet. */
  const waiting: unknown[] = [];
  const paths = new Set<string>();
  let times = 0;
  let innerEnded = false;
  let answered = false;
  let same = true;
  let reason: string | undefined;
  let ended: number | undefined;
  const end = (): void => {
    ended ??= now();
  };

  function effect(): Effect {
    if (reason !== undefined) return { effect: 'failed', reason };
    if (times === 0) return answered ? { effect: 'changed', reason: 'answered without next' } : { effect: 'passed' };
    if (times > 1) return { effect: 'changed', reason: `asked ${times} times` };
    if (paths.size > 0) return { effect: 'changed', paths: [...paths] };
    return { effect: same ? 'passed' : 'changed' };
  }

  return {
    asked(inner$, changed) {
      times += 1;
      for (const key of changed) paths.add(key);
      return inner$.pipe(
        tap({
          next: (item) => waiting.push(item),
          complete() {
            innerEnded = true;
          },
        }),
      );
    },
    gives: (given$) =>
      given$.pipe(
        tap({
          next(item) {
            answered = true;
            if (waiting.length === 0 || waiting.shift() !== item) same = false;
          },
          complete() {
            answered = true;
            if (!innerEnded || waiting.length > 0) same = false;
            end();
          },
          error: end,
          unsubscribe: end,
        }),
      ),
    failed(why) {
      reason = why;
      end();
    },
    effect: () => ({ effect: effect(), ms: (ended ?? now()) - began }),
  };
}

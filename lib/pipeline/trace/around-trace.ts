import type { Stage } from '../define/plan.ts';
import { LoggingSubscriber } from '../flow/logging-subscriber.ts';
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
  asked(changed: readonly string[]): void;
  /** Records an item of `next`, and the end of `next`. */
  received(item: unknown): void;
  innerEnded(): void;
  /** Records an item of the wrapper, and its end. */
  gave(item: unknown): void;
  completed(): void;
  over(failure?: string): void;
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

  function effect(): Effect {
    if (reason !== undefined) return { effect: 'failed', reason };
    if (times === 0) return answered ? { effect: 'changed', reason: 'answered without next' } : { effect: 'passed' };
    if (times > 1) return { effect: 'changed', reason: `asked ${times} times` };
    if (paths.size > 0) return { effect: 'changed', paths: [...paths] };
    return { effect: same ? 'passed' : 'changed' };
  }

  return {
    asked(changed) {
      times += 1;
      for (const key of changed) paths.add(key);
    },
    received: (item) => void waiting.push(item),
    innerEnded() {
      innerEnded = true;
    },
    gave(item) {
      answered = true;
      if (waiting.length === 0 || waiting.shift() !== item) same = false;
    },
    completed() {
      answered = true;
      if (!innerEnded || waiting.length > 0) same = false;
    },
    over(failure) {
      reason ??= failure;
      ended ??= now();
    },
    effect: () => ({ effect: effect(), ms: (ended ?? now()) - began }),
  };
}

/** A subscriber to `next`, whose items and end are recorded if there is a trace. */
export class WatchedSubscriber<T> extends LoggingSubscriber<T> {
  watch: AroundWatch | undefined = undefined;

  protected override _next(item: T): void {
    this.watch?.received(item);
    super._next(item);
  }

  protected override _complete(): void {
    this.watch?.innerEnded();
    super._complete();
  }
}

import { asyncScheduler, type Observable, type Subscription, VirtualTimeScheduler } from 'rxjs';
import { HooklineError } from '../../errors.ts';
import type { SettledEvent } from '../../events/hook-event.ts';
import type { Hook } from '../../pipeline/define/hook.ts';
import type { StepFailure } from '../../pipeline/run/step-failure.ts';
import type { PipelineOptions } from '../../pipeline/settings.ts';
import { collectIssues, type Issues } from './contract-issues.ts';
import { explainThrown } from './inspect-return.ts';
import { partsOf, spyOn } from './spy-on.ts';

/** Thrown by a check in virtual time if the hook waits for real time. */
export const NEEDS_REAL_TIME: unique symbol = Symbol('needs real time');

/** Result of one case. */
export interface Played {
  readonly events: readonly SettledEvent[];
  /** True if it completed without a failure. */
  readonly ended: boolean;
}

/** One case: the tested part of the hook, its input, and how it runs. */
export interface Case {
  readonly where: string;
  /** Description for messages: `with an empty stream`. */
  readonly when: string;
  readonly cancel?: boolean;
  /** Ignores timeouts. */
  readonly patient?: boolean;
  readonly start: (
    hook: Hook,
    options: PipelineOptions,
    tolerated: (failure: StepFailure) => void,
  ) => Observable<SettledEvent>;
}

/** Runs a hook in virtual time, or in real time if it returns promises. */
export interface Bench {
  readonly hook: Hook;
  readonly issues: Issues;
  play(attempt: Case): Promise<Played>;
  /** Reports a part that no case has reached. */
  assertTried(): void;
}

export function createBench(hook: Hook, real: boolean, timeoutMs: number): Bench {
  const issues = collectIssues();
  const spy = spyOn(hook, issues);
  let gaveUp = false;

  async function play({ where, when, cancel, patient, start }: Case): Promise<Played> {
    if (gaveUp) return { events: [], ended: false };
    const scheduler = real ? asyncScheduler : new VirtualTimeScheduler();
    const events: SettledEvent[] = [];
    const known = issues.all.length;
    let over: { thrown?: unknown } | undefined;
    let wake = (): void => {};
    const end = (how: { thrown?: unknown }): void => {
      over ??= how;
      wake();
    };
    const fail = (thrown: unknown): void => {
      if (waits(thrown)) {
        if (!real) throw NEEDS_REAL_TIME;
        // A part that is late once would be late in each case, and each case would wait for it.
        gaveUp = true;
      }
      // The spy already reported it in more detail.
      if (issues.all.length > known) return;
      issues.add(where, `${explainThrown(rootOf(thrown))} (${when})`);
    };
    const failures: unknown[] = [];
    const watched = Object.freeze({ ...spy.hook, ...timing(hook, real, patient === true, timeoutMs) });
    const options = { scheduler, buffer: { chunks: 1_000_000 } };
    const subscription: Subscription = start(watched, options, (failure) => failures.push(failure.cause)).subscribe({
      next: (event) => events.push(event),
      error: (thrown) => end({ thrown }),
      complete: () => end({}),
    });
    if (!cancel && scheduler instanceof VirtualTimeScheduler) advance(scheduler, () => over !== undefined);
    if (!cancel && real && !over) await within(10 * timeoutMs, (resolve) => (wake = resolve));
    subscription.unsubscribe();

    if (over && 'thrown' in over) failures.push(over.thrown);
    // A hook may fail on each of ten thousand chunks. A few reports are enough.
    for (const failure of failures.slice(0, 5)) fail(failure);
    if (!cancel && !over) issues.add(where, `does not come to an end (${when}). Complete when the source does.`);
    leftovers(scheduler, where, when);
    return { events, ended: over !== undefined && failures.length === 0 };
  }

  function leftovers(scheduler: unknown, where: string, when: string): void {
    const timers = scheduler instanceof VirtualTimeScheduler ? scheduler.actions.length : 0;
    if (timers > 0) {
      issues.add(
        where,
        `leaves ${timers} timer(s) on context.scheduler behind (${when}). Unsubscribe them when the stream ends or is cancelled: use operators instead of subscribing yourself.`,
      );
    }
    if (spy.held() > 0) {
      issues.add(
        where,
        `stays subscribed to its source (${when}). Give back an Observable made of it with operators, so that unsubscribing reaches it.`,
      );
    }
  }

  function assertTried(): void {
    for (const where of gaveUp ? [] : partsOf(hook).filter((part) => !spy.tried.has(part))) {
      issues.add(
        where,
        'has never been tried: its `match` takes none of the sample events. Give some that it takes as `events`.',
      );
    }
  }

  return { hook: spy.hook, issues, play, assertTried };
}

function timing(hook: Hook, real: boolean, patient: boolean, timeoutMs: number): { timeoutMs?: number } {
  if (real) return { timeoutMs: Math.min(hook.timeoutMs ?? timeoutMs, timeoutMs) };
  return patient ? { timeoutMs: MAX_FRAMES } : {};
}

function waits(thrown: unknown): boolean {
  if (thrown === NEEDS_REAL_TIME) return true;
  return thrown instanceof HooklineError && (thrown.code === 'VIRTUAL_TIME' || thrown.code === 'HOOK_TIMEOUT');
}

/** Returns the error that the hook threw. */
function rootOf(thrown: unknown): unknown {
  return thrown instanceof HooklineError && thrown.code === 'HOOK_FAILED' && thrown.cause ? thrown.cause : thrown;
}

/** Maximum virtual time of a case, in milliseconds. */
const MAX_FRAMES = 3_600_000;

/** Runs virtual time until `over` returns true, no action is left, or the time limit is reached. */
function advance(scheduler: VirtualTimeScheduler, over: () => boolean): void {
  for (let next = scheduler.actions[0]; next && !over(); next = scheduler.actions[0]) {
    if (next.delay > MAX_FRAMES) return;
    scheduler.maxFrames = next.delay;
    scheduler.flush();
  }
}

/** Waits until `start` calls its argument, but at most `ms`. */
function within(ms: number, start: (resolve: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = asyncScheduler.schedule(() => resolve(), ms);
    start(() => {
      timer.unsubscribe();
      resolve();
    });
  });
}

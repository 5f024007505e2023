import { asyncScheduler, type Observable, type Subscription, VirtualTimeScheduler } from 'rxjs';
import { HooklineError } from '../../errors.ts';
import type { SettledEvent } from '../../events/hook-event.ts';
import type { Hook } from '../../pipeline/define/hook.ts';
import type { StepFailure } from '../../pipeline/run/step-failure.ts';
import type { PipelineOptions } from '../../pipeline/settings.ts';
import { advance, MAX_FRAMES, within } from './advance.ts';
import { collectIssues, type Issues } from './contract-issues.ts';
import { explainThrown } from './inspect-return.ts';
import { partsOf, spyOn } from './spy-on.ts';

/** Thrown by a check in virtual time when the hook turns out to wait for something real. */
export const NEEDS_REAL_TIME: unique symbol = Symbol('needs real time');

/** What came of one case. */
export interface Played {
  readonly events: readonly SettledEvent[];
  /** Whether it came to its end, without a failure. */
  readonly ended: boolean;
}

/** One case: the part of the hook that is tried, what it is tried with, and how. */
export interface Case {
  readonly where: string;
  /** What the case is, for messages: `with an empty stream`. */
  readonly when: string;
  readonly cancel?: boolean;
  /** Time-outs do not count. */
  readonly patient?: boolean;
  readonly start: (
    hook: Hook,
    options: PipelineOptions,
    tolerated: (failure: StepFailure) => void,
  ) => Observable<SettledEvent>;
}

/** Where a hook is tried: in virtual time, or in real time for one that returns promises. */
export interface Bench {
  readonly hook: Hook;
  readonly issues: Issues;
  play(attempt: Case): Promise<Played>;
  /** Counts a part that no case has reached as an issue. */
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
        // What is late once would be late each time, and each time it would be waited for.
        gaveUp = true;
      }
      // What the spy has seen it has said better.
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
    // A hook that fails on each of ten thousand chunks need not be told so as often.
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

/** What the hook itself threw. */
function rootOf(thrown: unknown): unknown {
  return thrown instanceof HooklineError && thrown.code === 'HOOK_FAILED' && thrown.cause ? thrown.cause : thrown;
}

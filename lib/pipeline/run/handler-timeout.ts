import {
  asyncScheduler,
  isObservable,
  Observable,
  type SchedulerLike,
  type Subscriber,
  type Unsubscribable,
} from 'rxjs';
import { HooklineError } from '../../errors.ts';
import { ignoreRejection } from '../../events/values/is-async.ts';
import type { Hook } from '../define/hook.ts';
import { LoggingSubscriber } from '../flow/logging-subscriber.ts';
import type { Logger } from '../logger.ts';
import type { Settings } from '../settings.ts';
import type { Lease } from './run-scope.ts';

/** The hook, its timeout, and its lease, which expires with the wait. */
export interface Timing {
  readonly hook: Hook;
  readonly where: string;
  /** Milliseconds if the hook has no timeout of its own. */
  readonly ms: number;
  readonly lease: Lease | undefined;
}

/** Returns an asynchronous answer as an Observable with the timeout of the hook, see `waitWithTimeout`. */
export function withTimeout(
  answer: PromiseLike<unknown> | Observable<unknown>,
  settings: Settings,
  timing: Timing,
): Observable<unknown> {
  return new Observable((subscriber) => waitWithTimeout(answer, settings, timing, subscriber));
}

/**
 * Passes an asynchronous answer to `sink`, within the timeout of the hook. When it arrives, is late or is no longer awaited, the signal of
 * the handler aborts. A promise in virtual time is rejected, because it could never settle.
 */
export function waitWithTimeout(
  answer: PromiseLike<unknown> | Observable<unknown>,
  settings: Settings,
  timing: Timing,
  sink: Subscriber<unknown>,
): void {
  const { hook, where, lease } = timing;
  if (!isObservable(answer) && settings.virtual) {
    ignoreRejection(answer);
    const message = `Hook "${hook.name}" (${where}) returned a promise in virtual time, where it can never settle. Return an Observable.`;
    sink.error(new HooklineError('VIRTUAL_TIME', message));
    return;
  }
  const wait = new Wait(lease);
  const bounded = new Bounded(sink, wait, settings.log);
  wait.source = bounded;
  sink.add(wait);
  bounded.start(answer);
  // An answer that has already arrived needs no timer, nor does one that is no longer awaited.
  if (wait.why === 'answered' || sink.closed) return;
  const ms = hook.timeoutMs ?? timing.ms;
  const hint = isObservable(answer) ? 'did not complete' : 'did not settle';
  wait.timer = runLater(settings.scheduler, ms, () => {
    const message = `Hook "${hook.name}" (${where}) ${hint} within ${ms} ms. Make it faster, or raise its timeoutMs.`;
    // The signal aborts when the wait ends: the handler's reaction is too late to be its answer.
    wait.why = 'time-out';
    sink.error(new HooklineError('HOOK_TIMEOUT', message));
  });
}

/** A wait that lasts as long as its subscriber, which a handler's Observable holds and may drop without ending it. */
class Wait implements Unsubscribable {
  why = 'cancelled';
  timer: Unsubscribable | undefined = undefined;
  source: Unsubscribable | undefined = undefined;
  readonly #lease: Lease | undefined;

  constructor(lease: Lease | undefined) {
    this.#lease = lease;
  }

  unsubscribe(): void {
    this.timer?.unsubscribe();
    this.#lease?.expire(this.why);
    this.source?.unsubscribe();
  }
}

/** Forwards an answer. */
class Bounded extends LoggingSubscriber<unknown> {
  readonly #sink: Subscriber<unknown>;
  readonly #wait: Wait;

  constructor(sink: Subscriber<unknown>, wait: Wait, log: Logger) {
    super(log);
    this.#sink = sink;
    this.#wait = wait;
  }

  start(answer: PromiseLike<unknown> | Observable<unknown>): void {
    if (isObservable(answer)) {
      this.listenTo(answer);
      return;
    }
    answer.then(
      (value) => {
        this.next(value);
        this.complete();
      },
      (thrown) => this.error(thrown),
    );
  }

  protected override _next(value: unknown): void {
    this.#sink.next(value);
  }

  protected override _error(thrown: unknown): void {
    this.#wait.why = 'answered';
    this.#sink.error(thrown);
    this.unsubscribe();
  }

  protected override _complete(): void {
    this.#wait.why = 'answered';
    this.#sink.complete();
    this.unsubscribe();
  }
}

/** Calls `work` after this many milliseconds of `scheduler`, unless it is unsubscribed before. Never if they are `Infinity`. */
export function runLater(scheduler: SchedulerLike, ms: number, work: () => void): Unsubscribable {
  if (ms === Number.POSITIVE_INFINITY) return never;
  return scheduler === asyncScheduler ? new Timer(ms, work) : scheduler.schedule(work, ms);
}

const never: Unsubscribable = { unsubscribe() {} };

/** Uses Node's timers for the default scheduler: an RxJS action on top costs twice as much, and most timers are never used. */
class Timer implements Unsubscribable {
  readonly #timer: ReturnType<typeof setTimeout>;

  constructor(ms: number, work: () => void) {
    this.#timer = setTimeout(work, ms);
  }

  unsubscribe(): void {
    clearTimeout(this.#timer);
  }
}

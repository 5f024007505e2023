import { from, isObservable, Observable, type Subscription, throwError } from 'rxjs';
import { HooklineError } from '../errors.ts';
import type { Hook } from './hook.ts';
import type { Lease } from './lease.ts';
import type { Settings } from './settings.ts';

/** Whether a handler has not answered yet: it returned a promise or an Observable. */
export function isLater(value: unknown): value is PromiseLike<unknown> | Observable<unknown> {
  return typeof value === 'object' && value !== null && (isObservable(value) || isThenable(value));
}

/** Whether `value` is a promise, or looks like one. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}

/**
 * An asynchronous answer as an Observable that ends within the hook's time. When it is late, or nobody waits for it any more, the
 * handler's signal aborts. A promise in virtual time is refused, because it could never settle there.
 */
export function toBounded(
  answer: PromiseLike<unknown> | Observable<unknown>,
  settings: Settings,
  timing: { hook: Hook; where: string; ms: number; lease: Lease | undefined },
): Observable<unknown> {
  const { hook, where, lease } = timing;
  const ms = hook.timeoutMs ?? timing.ms;
  if (!isObservable(answer) && settings.virtual) {
    // Whatever becomes of the promise, it must not end as an unhandled rejection.
    void Promise.resolve(answer).catch(() => {});
    return throwError(
      () =>
        new HooklineError(
          'VIRTUAL_TIME',
          `Hook "${hook.name}" (${where}) returned a promise in virtual time, where it can never settle. Return an Observable.`,
        ),
    );
  }
  const late = () => {
    lease?.expire('time-out');
    const hint = isObservable(answer) ? 'did not complete' : 'did not settle';
    return new HooklineError(
      'HOOK_TIMEOUT',
      `Hook "${hook.name}" (${where}) ${hint} within ${ms} ms. Make it faster, or raise its timeoutMs.`,
    );
  };
  const source: Observable<unknown> = isObservable(answer) ? answer : from(answer);
  return new Observable((subscriber) => {
    let ended = false;
    let timer: Subscription | undefined;
    subscriber.add(() => {
      timer?.unsubscribe();
      if (!ended) lease?.expire('cancelled');
    });
    const subscription = source.subscribe({
      next: (value) => subscriber.next(value),
      error: (error) => {
        ended = true;
        subscriber.error(error);
      },
      complete: () => {
        ended = true;
        subscriber.complete();
      },
    });
    subscriber.add(subscription);
    // What has answered by now needs no timer, nor what nobody waits for any more.
    if (!ended && !subscriber.closed) timer = settings.scheduler.schedule(() => subscriber.error(late()), ms);
  });
}

import { isObservable, Observable, type SchedulerLike, type Subscriber } from 'rxjs';
import { LoggingSubscriber } from '../flow/logging-subscriber.ts';
import type { Logger } from '../logger.ts';
import { runLater } from './handler-timeout.ts';

/** The timeout of a port of the host, such as a store. */
export interface PortTime {
  readonly scheduler: SchedulerLike;
  /** Milliseconds, or `Infinity`. */
  readonly portTimeoutMs: number;
  readonly log: Logger | undefined;
}

/** Returns the asynchronous answer of a port as an Observable that fails with `late(ms)` after the timeout. */
export function withinPortTime<T>(
  answer: PromiseLike<T> | Observable<T>,
  { scheduler, portTimeoutMs, log }: PortTime,
  late: (ms: number) => Error,
): Observable<T> {
  return new Observable((subscriber) => {
    if (isObservable(answer)) new LoggingSubscriber(log, subscriber).listenTo(answer);
    else listenToPromise(answer, subscriber);
    // An answer that has already arrived needs no timer.
    if (subscriber.closed) return undefined;
    const timer = runLater(scheduler, portTimeoutMs, () => subscriber.error(late(portTimeoutMs)));
    return () => timer.unsubscribe();
  });
}

function listenToPromise<T>(answer: PromiseLike<T>, subscriber: Subscriber<T>): void {
  answer.then(
    (value) => {
      subscriber.next(value);
      subscriber.complete();
    },
    (thrown) => subscriber.error(thrown),
  );
}

import { isObservable, Observable, type SchedulerLike, type Subscriber } from 'rxjs';
import { LoggingSubscriber } from '../flow/logging-subscriber.ts';
import type { Logger } from '../logger.ts';
import { runLater } from './handler-timeout.ts';

/** How long a run waits for what the host has lent it, a store say. */
export interface PortTime {
  readonly scheduler: SchedulerLike;
  /** Milliseconds, or `Infinity`. */
  readonly portTimeoutMs: number;
  readonly log: Logger | undefined;
}

/** What a port answers later, as an Observable that fails with what `late` makes of the milliseconds when they are over. */
export function withinPortTime<T>(
  answer: PromiseLike<T> | Observable<T>,
  { scheduler, portTimeoutMs, log }: PortTime,
  late: (ms: number) => Error,
): Observable<T> {
  return new Observable((subscriber) => {
    if (isObservable(answer)) new LoggingSubscriber(log, subscriber).listenTo(answer);
    else listenToPromise(answer, subscriber);
    // What has answered by now needs no timer.
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

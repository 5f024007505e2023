import { type Observer, Subscriber } from 'rxjs';

/**
 * A subscriber that can be unsubscribed while the source still emits synchronously, before `subscribe` has returned. It also spares the
 * guard against throwing observers that `subscribe({ .. })` puts before each: `observer` must not throw.
 */
export function createSink<T>(observer: Observer<T>): Subscriber<T> {
  // RxJS marks the constructor as its own; takeUntil would do the same at the price of more calls.
  return new Subscriber<T>(observer as Subscriber<T>);
}

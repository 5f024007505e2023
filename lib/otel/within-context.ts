import type { Context } from '@opentelemetry/api';
import { Observable, takeWhile } from 'rxjs';
import type { OtelApi } from './load-api.ts';

/** The callbacks of one subscription. */
export interface Watch<T> {
  readonly inner: Context;
  next?(item: T): void;
  error(thrown: unknown): void;
  complete(): void;
  /** After `error` and `complete`, or when the consumer unsubscribes. */
  teardown(): void;
}

/**
 * Subscribes to `source$` in the context of its step. Items leave in the context of the run: otherwise the code behind them would run in the
 * context of a step that may have ended.
 */
export function withinContext<T>(
  api: OtelApi,
  outer: Context,
  source$: Observable<T>,
  begin: () => Watch<T>,
): Observable<T> {
  return new Observable((subscriber) => {
    const watch = begin();
    subscriber.add(() => watch.teardown());
    const { context } = api;
    const subscription = context.with(watch.inner, () =>
      // Otherwise a synchronous source would not notice that its consumer has unsubscribed.
      source$.pipe(takeWhile(() => !subscriber.closed)).subscribe({
        next(item) {
          watch.next?.(item);
          context.with(outer, () => subscriber.next(item));
        },
        error(thrown) {
          // The teardown has ended the span of the step.
          if (subscriber.closed) return;
          watch.error(thrown);
          context.with(outer, () => subscriber.error(thrown));
        },
        complete() {
          // Also after `takeWhile`.
          if (subscriber.closed) return;
          watch.complete();
          context.with(outer, () => subscriber.complete());
        },
      }),
    );
    subscriber.add(subscription);
  });
}

/** Subscribes in a context, so that requests of the step carry that it is sampled out. */
export function inContext<T>({ context }: OtelApi, ctx: Context, source$: Observable<T>): Observable<T> {
  return new Observable((subscriber) => context.with(ctx, () => source$.subscribe(subscriber)));
}

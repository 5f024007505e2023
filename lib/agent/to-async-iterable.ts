import type { Observable, Unsubscribable } from 'rxjs';
import { Fifo } from '../events/values/fifo.ts';

interface Waiting<T> {
  readonly resolve: (result: IteratorResult<T, void>) => void;
  readonly reject: (thrown: unknown) => void;
}

/**
 * Converts an Observable for `for await`. It subscribes at the first `next()` and buffers values that are not read yet. It unsubscribes at once when
 * the loop is left, also during a pending `next()`.
 */
export function toAsyncIterable<T>(source$: Observable<T>): AsyncGenerator<T, void, undefined> {
  const arrived = new Fifo<T>();
  const waiting: Waiting<T>[] = [];
  let end: { readonly thrown?: unknown; readonly failed: boolean } | undefined;
  let subscription: Unsubscribable | undefined;

  const finish = (failed: boolean, thrown?: unknown): void => {
    if (end) return;
    end = { failed, thrown };
    for (const one of waiting.splice(0)) settle(one);
  };
  const settle = ({ resolve, reject }: Waiting<T>): void => {
    if (end?.failed) {
      // An error is thrown once, and then the iteration is over.
      const { thrown } = end;
      end = { failed: false };
      reject(thrown);
    } else resolve({ done: true, value: undefined });
  };
  const stop = (): void => {
    arrived.clear();
    if (end?.failed) end = { failed: false };
    finish(false);
    subscription?.unsubscribe();
  };
  const subscribe = (): void => {
    if (subscription || end) return;
    const opened = source$.subscribe({
      next(value) {
        if (end) return;
        const first = waiting.shift();
        if (first) first.resolve({ done: false, value });
        else arrived.push(value);
      },
      error: (thrown) => finish(true, thrown),
      complete: () => finish(false),
    });
    subscription = opened;
    if (end) opened.unsubscribe();
  };

  const iterator: AsyncGenerator<T, void, undefined> = {
    next: () =>
      new Promise((resolve, reject) => {
        subscribe();
        if (arrived.length > 0) resolve({ done: false, value: arrived.shift() as T });
        else if (end) settle({ resolve, reject });
        else waiting.push({ resolve, reject });
      }),
    async return() {
      stop();
      return { done: true, value: undefined };
    },
    async throw(thrown) {
      stop();
      throw thrown;
    },
    [Symbol.asyncIterator]: () => iterator,
  };
  return iterator;
}

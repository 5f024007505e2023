import type { Observable } from 'rxjs';

/** An Observable for `for await`. Subscribes when iterated, keeps what has not been taken yet, unsubscribes when the loop is left. */
export async function* toAsyncIterable<T>(source$: Observable<T>): AsyncGenerator<T, void, undefined> {
  const arrived: T[] = [];
  let ended = false;
  let fault: { thrown: unknown } | undefined;
  let wake: () => void = () => {};
  const subscription = source$.subscribe({
    next(value) {
      arrived.push(value);
      wake();
    },
    error(thrown) {
      fault = { thrown };
      ended = true;
      wake();
    },
    complete() {
      ended = true;
      wake();
    },
  });
  try {
    for (;;) {
      // In batches: shifting a long array one by one is slow.
      for (const value of arrived.splice(0)) yield value;
      if (arrived.length > 0) continue;
      if (ended) break;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    if (fault) throw fault.thrown;
  } finally {
    subscription.unsubscribe();
  }
}

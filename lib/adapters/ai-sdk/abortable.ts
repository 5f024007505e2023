import { onAbort } from '../../agent/on-abort.ts';

/**
 * Returns `promise`, but rejects with the signal's reason as soon as the signal aborts. `late` then receives the value of `promise`. The listener is
 * not removed, so the signal must not outlive the work.
 */
export function abortable<T>(promise: PromiseLike<T>, signal: AbortSignal, late?: (value: T) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    onAbort(signal, () => reject(signal.reason));
    promise.then((value) => {
      if (signal.aborted) late?.(value);
      resolve(value);
    }, reject);
  });
}

/**
 * Returns `promise`, but rejects with the signal's reason as soon as the signal aborts. `late` then receives the value of `promise`. The listener is
 * not removed, so the signal must not outlive the work.
 */
export function abortable<T>(promise: PromiseLike<T>, signal: AbortSignal, late?: (value: T) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    promise.then((value) => {
      if (signal.aborted) late?.(value);
      resolve(value);
    }, reject);
  });
}

/**
 * `promise`, or a rejection with the signal's reason as soon as it aborts; what `promise` gives afterwards goes to `late`. It
 * leaves its listener behind, so the signal must be one that does not outlive the work.
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

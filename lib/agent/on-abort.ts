/** The callbacks of each signal. Many runs may share a signal, and Node warns of a leak from eleven listeners on. */
const callbacksOf = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls `callback` when `signal` aborts, or at once if it has aborted. Returns a function that removes it. Each signal has one listener. */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  if (signal.aborted) {
    callback();
    return () => {};
  }
  // A new function for each call, because the same callback may be passed twice.
  const call = (): void => callback();
  const callbacks = callbacksOf.get(signal) ?? observePhase(signal);
  callbacks.add(call);
  return () => {
    if (!callbacks.delete(call) || callbacks.size > 0 || callbacksOf.get(signal) !== callbacks) return;
    callbacksOf.delete(signal);
    signal.removeEventListener('abort', runCallbacks);
  };
}

function observePhase(signal: AbortSignal): Set<() => void> {
  const callbacks = new Set<() => void>();
  callbacksOf.set(signal, callbacks);
  signal.addEventListener('abort', runCallbacks, { once: true });
  return callbacks;
}

function runCallbacks(this: AbortSignal): void {
  const callbacks = callbacksOf.get(this);
  callbacksOf.delete(this);
  for (const callback of callbacks ?? []) callback();
}

/** The callbacks of each signal. Many runs may share a signal, and Node warns of a leak from eleven listeners on. */
const told = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls `callback` when `signal` aborts, or at once if it has aborted. Returns a function that removes it. Each signal has one listener. */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  if (signal.aborted) {
    callback();
    return () => {};
  }
  // A new function for each call, because the same callback may be passed twice.
  const call = (): void => callback();
  const callbacks = told.get(signal) ?? observePhase(signal);
  callbacks.add(call);
  return () => {
    if (!callbacks.delete(call) || callbacks.size > 0 || told.get(signal) !== callbacks) return;
    told.delete(signal);
    signal.removeEventListener('abort', tell);
  };
}

function observePhase(signal: AbortSignal): Set<() => void> {
  const callbacks = new Set<() => void>();
  told.set(signal, callbacks);
  signal.addEventListener('abort', tell, { once: true });
  return callbacks;
}

function tell(this: AbortSignal): void {
  const callbacks = told.get(this);
  told.delete(this);
  for (const callback of callbacks ?? []) callback();
}

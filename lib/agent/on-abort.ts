/** Who is told of a signal's abort. Node warns of a leak from eleven listeners on; many runs may share one signal. */
const told = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls `callback` when `signal` aborts, at once if it has; what is given back takes that back. One listener on each signal. */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  if (signal.aborted) {
    callback();
    return () => {};
  }
  // Of this very call: the same function may be given twice.
  const call = (): void => callback();
  const callbacks = told.get(signal) ?? listen(signal);
  callbacks.add(call);
  return () => {
    if (!callbacks.delete(call) || callbacks.size > 0 || told.get(signal) !== callbacks) return;
    told.delete(signal);
    signal.removeEventListener('abort', tell);
  };
}

function listen(signal: AbortSignal): Set<() => void> {
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

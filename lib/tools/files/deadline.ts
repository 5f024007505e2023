/** Aborts when the caller cancels or the time is up, whichever comes first. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Whether it was the time. */
  expired(): boolean;
  /** Ends the waiting; no timer and no listener remains. */
  release(): void;
}

/** A deadline `milliseconds` from now, or when `signal` aborts. */
export function startDeadline(signal: AbortSignal, milliseconds: number): Deadline {
  const controller = new AbortController();
  let expired = false;
  const timer = setTimeout(() => {
    expired = !controller.signal.aborted;
    controller.abort();
  }, milliseconds);
  const cut = () => controller.abort();
  if (signal.aborted) cut();
  signal.addEventListener('abort', cut, { once: true });
  const release = () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', cut);
  };
  return { signal: controller.signal, expired: () => expired, release };
}

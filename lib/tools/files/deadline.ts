/** Aborts when the caller cancels, or when the time expires. */
export interface Deadline {
  readonly signal: AbortSignal;
  expired(): boolean;
  /** Removes the timer and the listener. */
  release(): void;
}

/** Starts a deadline of `milliseconds`. It also ends when `signal` aborts. */
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

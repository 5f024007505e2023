/** How long something may go on. Cancelled at most once, from outside; whoever works under it is told, in order of registration. */
export interface Lifetime {
  readonly cancelled: boolean;
  readonly reason: string | undefined;
  /** Calls `listener` on cancel (at once, if that has happened) and returns the undo. */
  onCancel(listener: () => void): () => void;
  cancel(reason?: string): void;
  /** Lets go of the parent, so that it keeps nothing of what has ended. */
  release(): void;
  /** Aborts on cancel. Made when first read. */
  readonly signal: AbortSignal;
}

/** A lifetime that ends with `parent`'s at the latest. */
export function createLifetime(parent?: Lifetime): Lifetime {
  let cancelled = false;
  let reason: string | undefined;
  let listeners: Set<() => void> | undefined;
  let controller: AbortController | undefined;
  let letGo = (): void => {};

  const lifetime: Lifetime = {
    get cancelled() {
      return cancelled;
    },
    get reason() {
      return reason;
    },
    onCancel(listener) {
      if (cancelled) {
        listener();
        return () => {};
      }
      listeners ??= new Set();
      listeners.add(listener);
      return () => listeners?.delete(listener);
    },
    cancel(why) {
      if (cancelled) return;
      cancelled = true;
      reason = why;
      letGo();
      // The signal goes first: what listens to it should be stopping by the time others draw conclusions.
      controller?.abort(why === undefined ? undefined : new DOMException(why, 'AbortError'));
      const told = [...(listeners ?? [])];
      listeners = undefined;
      for (const listener of told) listener();
    },
    release: () => letGo(),
    get signal() {
      controller ??= new AbortController();
      if (cancelled && !controller.signal.aborted) controller.abort();
      return controller.signal;
    },
  };
  if (parent) letGo = parent.onCancel(() => lifetime.cancel(parent.reason));
  return lifetime;
}

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
  const lifetime = new CancellableLifetime();
  if (parent) lifetime.follow(parent);
  return lifetime;
}

/** A class for its weight: every run, phase and source has one, and most are never asked for more than `cancelled`. */
class CancellableLifetime implements Lifetime {
  cancelled = false;
  reason: string | undefined = undefined;
  #listeners: Set<() => void> | undefined = undefined;
  #controller: AbortController | undefined = undefined;
  #letGo: (() => void) | undefined = undefined;

  follow(parent: Lifetime): void {
    const letGo = parent.onCancel(() => this.cancel(parent.reason));
    if (!this.cancelled) this.#letGo = letGo;
  }

  onCancel(listener: () => void): () => void {
    if (this.cancelled) {
      listener();
      return () => {};
    }
    this.#listeners ??= new Set();
    this.#listeners.add(listener);
    return () => this.#listeners?.delete(listener);
  }

  cancel(reason?: string): void {
    if (this.cancelled) return;
    this.cancelled = true;
    this.reason = reason;
    this.release();
    // The signal goes first: what listens to it should be stopping by the time others draw conclusions.
    this.#controller?.abort(reason === undefined ? undefined : new DOMException(reason, 'AbortError'));
    const told = [...(this.#listeners ?? [])];
    this.#listeners = undefined;
    for (const listener of told) listener();
  }

  release(): void {
    this.#letGo?.();
    this.#letGo = undefined;
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.cancelled && !this.#controller.signal.aborted) this.#controller.abort();
    return this.#controller.signal;
  }
}

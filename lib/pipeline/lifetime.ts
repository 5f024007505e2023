import type { Unsubscribable } from 'rxjs';

/** Something that goes on, and can be cut short. */
export interface Cancellable {
  cancel(reason?: string): void;
}

/** How long something may go on. Cancelled at most once, from outside; whoever works under it is told, in order of registration. */
export interface Lifetime extends Cancellable {
  readonly cancelled: boolean;
  readonly reason: string | undefined;
  /** Cancels `worker` too, at once if that has happened, until what is given back is unsubscribed. */
  onCancel(worker: Cancellable): Unsubscribable;
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
  #first: Registration | undefined = undefined;
  #last: Registration | undefined = undefined;
  #controller: AbortController | undefined = undefined;
  #parent: Unsubscribable | undefined = undefined;

  follow(parent: Lifetime): void {
    const registration = parent.onCancel(this);
    if (!this.cancelled) this.#parent = registration;
  }

  onCancel(worker: Cancellable): Unsubscribable {
    if (this.cancelled) {
      worker.cancel(this.reason);
      return nothing;
    }
    const registration = new Registration(this, worker, this.#last);
    if (this.#last) this.#last.next = registration;
    else this.#first = registration;
    this.#last = registration;
    return registration;
  }

  /** For registrations only. */
  forget(registration: Registration): void {
    const { previous, next } = registration;
    if (previous) previous.next = next;
    else if (this.#first === registration) this.#first = next;
    else return;
    if (next) next.previous = previous;
    else this.#last = previous;
    registration.previous = undefined;
    registration.next = undefined;
  }

  cancel(reason?: string): void {
    if (this.cancelled) return;
    this.cancelled = true;
    this.reason = reason;
    this.release();
    // The signal goes first: what listens to it should be stopping by the time others draw conclusions.
    this.#controller?.abort(reason === undefined ? undefined : new DOMException(reason, 'AbortError'));
    const told: Cancellable[] = [];
    for (let one = this.#first; one; one = this.#first) {
      told.push(one.worker);
      this.forget(one);
    }
    for (const worker of told) worker.cancel(reason);
  }

  release(): void {
    this.#parent?.unsubscribe();
    this.#parent = undefined;
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.cancelled && !this.#controller.signal.aborted) this.#controller.abort();
    return this.#controller.signal;
  }
}

/** One of a chain: a Set and two closures for each would weigh three times as much. */
class Registration implements Unsubscribable {
  readonly worker: Cancellable;
  previous: Registration | undefined;
  next: Registration | undefined = undefined;
  readonly #lifetime: CancellableLifetime;

  constructor(lifetime: CancellableLifetime, worker: Cancellable, previous: Registration | undefined) {
    this.#lifetime = lifetime;
    this.worker = worker;
    this.previous = previous;
  }

  unsubscribe(): void {
    this.#lifetime.forget(this);
  }
}

const nothing: Unsubscribable = { unsubscribe() {} };

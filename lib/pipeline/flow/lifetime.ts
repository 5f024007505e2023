import type { Unsubscribable } from 'rxjs';
import { type Logger, logTeardown } from '../logger.ts';

/** A task that can be cancelled. */
export interface Cancellable {
  cancel(reason?: string): void;
}

/** The lifetime of a task. Cancelled at most once, from outside; it then cancels its listeners in order of registration. */
export interface Lifetime extends Cancellable {
  readonly cancelled: boolean;
  readonly reason: string | undefined;
  /** Cancels `worker` too, at once if already cancelled, until the result is unsubscribed. */
  onCancel(worker: Cancellable): Unsubscribable;
  /** Removes this lifetime from its parent, so that the parent keeps no reference to an ended task. */
  release(): void;
  /** Aborts on cancel. Created on first read. */
  readonly signal: AbortSignal;
  /** Logs errors of teardowns. */
  readonly log?: Logger | undefined;
}

/** Creates a lifetime that ends with `parent` at the latest. It uses the parent's log by default. */
export function createLifetime(parent?: Lifetime, log = parent?.log): Lifetime {
  const lifetime = new CancellableLifetime(log);
  if (parent instanceof CancellableLifetime) parent.take(lifetime);
  else if (parent) lifetime.follow(parent);
  return lifetime;
}

/** A listener of a lifetime in a linked list. A Set and two closures per listener would use three times the memory. */
abstract class Listener implements Unsubscribable, Cancellable {
  /** The lifetime that notifies it, while it is registered. */
  owner: { forget(listener: Listener): void } | undefined = undefined;
  previous: Listener | undefined = undefined;
  next: Listener | undefined = undefined;

  abstract cancel(reason?: string): void;

  unsubscribe(): void {
    this.owner?.forget(this);
  }
}

/** A class to save memory: every run, phase and source has one, and most need only `cancelled`. */
class CancellableLifetime extends Listener implements Lifetime {
  cancelled = false;
  reason: string | undefined = undefined;
  #first: Listener | undefined = undefined;
  #last: Listener | undefined = undefined;
  #controller: AbortController | undefined = undefined;
  readonly log: Logger | undefined;

  constructor(log: Logger | undefined) {
    super();
    this.log = log;
  }

  onCancel(worker: Cancellable): Unsubscribable {
    const listener = new Worker(worker);
    this.take(listener);
    return listener;
  }

  /** Follows a lifetime that the host implemented. */
  follow(parent: Lifetime): void {
    const registration = parent.onCancel(this);
    if (this.cancelled) return;
    this.owner = {
      forget: () => {
        this.owner = undefined;
        registration?.unsubscribe();
      },
    };
  }

  take(listener: Listener): void {
    if (this.cancelled) {
      listener.cancel(this.reason);
      return;
    }
    listener.owner = this;
    listener.previous = this.#last;
    if (this.#last) this.#last.next = listener;
    else this.#first = listener;
    this.#last = listener;
  }

  forget(listener: Listener): void {
    const { previous, next } = listener;
    if (previous) previous.next = next;
    else this.#first = next;
    if (next) next.previous = previous;
    else this.#last = previous;
    listener.owner = undefined;
    listener.previous = undefined;
    listener.next = undefined;
  }

  cancel(reason?: string): void {
    if (this.cancelled) return;
    this.cancelled = true;
    this.reason = reason;
    this.release();
    // The signal aborts first: its listeners should be stopping when the others react.
    this.abort();
    const listener: Listener[] = [];
    for (let one = this.#first; one; one = this.#first) {
      listener.push(one);
      this.forget(one);
    }
    for (const one of listener) {
      try {
        one.cancel(reason);
      } catch (thrown) {
        // The other listeners must still be notified.
        logTeardown(this.log, thrown);
      }
    }
  }

  release(): void {
    this.unsubscribe();
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.cancelled) this.abort();
    }
    return this.#controller.signal;
  }

  private abort(): void {
    this.#controller?.abort(this.reason === undefined ? undefined : abortError(this.reason));
  }
}

/** The reason for cancelling pending work of a call that ended. */
export const CALL_OVER = 'the call is over';

let callOver: DOMException | undefined;

/** All calls end with the same error, because its stack has no use and costs as much as the rest of the signal. */
function abortError(reason: string): DOMException {
  if (reason !== CALL_OVER) return new DOMException(reason, 'AbortError');
  callOver ??= new DOMException(reason, 'AbortError');
  return callOver;
}

class Worker extends Listener {
  readonly #worker: Cancellable;

  constructor(worker: Cancellable) {
    super();
    this.#worker = worker;
  }

  cancel(reason?: string): void {
    this.#worker.cancel(reason);
  }
}

/** A task with an abort signal. */
export interface Signalling {
  readonly signal: AbortSignal;
}

/**
 * Has a signal that is created on first read. It is an own field, so that `{ ...context }` copies it. All instances share the getter, because V8
 * creates a hidden class per getter, which costs more than the rest of a call.
 */
export class LazySignal {
  declare readonly signal: AbortSignal;
  readonly #source: Signalling;

  static readonly #field: PropertyDescriptor & ThisType<LazySignal> = {
    enumerable: true,
    get() {
      return this.#source.signal;
    },
  };

  constructor(source: Signalling) {
    this.#source = source;
    Object.defineProperty(this, 'signal', LazySignal.#field);
  }
}

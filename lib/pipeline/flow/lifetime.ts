import type { Unsubscribable } from 'rxjs';
import { type Logger, logTeardown } from '../logger.ts';

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
  /** Where it is told what goes wrong while something is let go of. */
  readonly log?: Logger | undefined;
}

/** A lifetime that ends with `parent`'s at the latest, and logs where it does unless it is told otherwise. */
export function createLifetime(parent?: Lifetime, log = parent?.log): Lifetime {
  const lifetime = new CancellableLifetime(log);
  if (parent instanceof CancellableLifetime) parent.take(lifetime);
  else if (parent) lifetime.follow(parent);
  return lifetime;
}

/** One of those that a lifetime tells, in a chain: a Set and two closures for each would weigh three times as much. */
abstract class Told implements Unsubscribable, Cancellable {
  /** The lifetime that it is told by, as long as it is. */
  teller: { forget(told: Told): void } | undefined = undefined;
  previous: Told | undefined = undefined;
  next: Told | undefined = undefined;

  abstract cancel(reason?: string): void;

  unsubscribe(): void {
    this.teller?.forget(this);
  }
}

/** A class for its weight: every run, phase and source has one, and most are never asked for more than `cancelled`. */
class CancellableLifetime extends Told implements Lifetime {
  cancelled = false;
  reason: string | undefined = undefined;
  #first: Told | undefined = undefined;
  #last: Told | undefined = undefined;
  #controller: AbortController | undefined = undefined;
  readonly log: Logger | undefined;

  constructor(log: Logger | undefined) {
    super();
    this.log = log;
  }

  onCancel(worker: Cancellable): Unsubscribable {
    const told = new Worker(worker);
    this.take(told);
    return told;
  }

  /** What is under a lifetime of the host's own making. */
  follow(parent: Lifetime): void {
    const registration = parent.onCancel(this);
    if (this.cancelled) return;
    this.teller = {
      forget: () => {
        this.teller = undefined;
        registration?.unsubscribe();
      },
    };
  }

  take(told: Told): void {
    if (this.cancelled) {
      told.cancel(this.reason);
      return;
    }
    told.teller = this;
    told.previous = this.#last;
    if (this.#last) this.#last.next = told;
    else this.#first = told;
    this.#last = told;
  }

  forget(told: Told): void {
    const { previous, next } = told;
    if (previous) previous.next = next;
    else this.#first = next;
    if (next) next.previous = previous;
    else this.#last = previous;
    told.teller = undefined;
    told.previous = undefined;
    told.next = undefined;
  }

  cancel(reason?: string): void {
    if (this.cancelled) return;
    this.cancelled = true;
    this.reason = reason;
    this.release();
    // The signal goes first: what listens to it should be stopping by the time others draw conclusions.
    this.abort();
    const told: Told[] = [];
    for (let one = this.#first; one; one = this.#first) {
      told.push(one);
      this.forget(one);
    }
    for (const one of told) {
      try {
        one.cancel(reason);
      } catch (thrown) {
        // The others must be told all the same.
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

/** Why what a call has begun, and not waited for, ends with it. */
export const CALL_OVER = 'the call is over';

let callOver: DOMException | undefined;

/** Every call ends with the same one: its stack says nothing, and would cost as much as all the rest of the signal. */
function abortError(reason: string): DOMException {
  if (reason !== CALL_OVER) return new DOMException(reason, 'AbortError');
  callOver ??= new DOMException(reason, 'AbortError');
  return callOver;
}

class Worker extends Told {
  readonly #worker: Cancellable;

  constructor(worker: Cancellable) {
    super();
    this.#worker = worker;
  }

  cancel(reason?: string): void {
    this.#worker.cancel(reason);
  }
}

/** What goes on until its signal aborts. */
export interface Signalling {
  readonly signal: AbortSignal;
}

/**
 * Has a signal that is made when it is first read. An own member, so that `{ ...context }` has it too; its getter is the same function
 * for all, since V8 makes a hidden class for every getter of its own, which costs more than all the rest of a call.
 */
export class LazySignal {
  declare readonly signal: AbortSignal;
  readonly #source: Signalling;

  static readonly #member: PropertyDescriptor & ThisType<LazySignal> = {
    enumerable: true,
    get() {
      return this.#source.signal;
    },
  };

  constructor(source: Signalling) {
    this.#source = source;
    Object.defineProperty(this, 'signal', LazySignal.#member);
  }
}

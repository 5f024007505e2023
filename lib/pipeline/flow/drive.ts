import { EMPTY, isObservable, Observable, type Subscriber, type Unsubscribable } from 'rxjs';
import type { SettledEvent } from '../../events/hook-event.ts';
import type { Logger } from '../logger.ts';
import type { Cancellable, Lifetime } from './lifetime.ts';
import { LoggingSubscriber } from './logging-subscriber.ts';

/** Thrown into a waiting process when its lifetime is cancelled. */
export const CANCELLED: unique symbol = Symbol('cancelled');

interface Waiting {
  /** Cleared when the wait begins: the generator keeps the yielded object, and with it the sources of the Observable. */
  wait: Observable<unknown> | undefined;
}

/**
 * Straight-line code over Observables. It yields settled events (emitted), Observables of them (forwarded, resumed with the last), or waits (resumed
 * with the last value, not emitted).
 */
export type Process<R = void> = Generator<SettledEvent | Observable<SettledEvent> | Waiting, R, unknown>;

/** In a process: returns the value, or the last value of the Observable. */
export function* wait<T>(source: T | Observable<T>): Process<T> {
  return isObservable(source) ? ((yield { wait: source }) as T) : source;
}

/** In a process: emits all events of `source` and returns the last. */
export function* forward(source: Observable<SettledEvent>): Process<SettledEvent | undefined> {
  return (yield source) as SettledEvent | undefined;
}

/**
 * Runs a process as an Observable. The process may also emit to the consumer passed to it. It runs synchronously, in a loop without recursion, while
 * its waits are synchronous. A cancel interrupts a wait by throwing `CANCELLED`; forwarded Observables end by themselves. A cancel while the process
 * runs is thrown at its next step, so the event to emit is not lost.
 */
export function drive(
  start: (consumer: Subscriber<SettledEvent>) => Process,
  lifetime: Lifetime,
  scope?: Watcher,
): Observable<SettledEvent> {
  return new Observable<SettledEvent>((subscriber) => {
    const driver = new Driver(start(subscriber), subscriber, lifetime, scope);
    // Before the process runs, because a consumer may unsubscribe during a synchronous run.
    subscriber.add(driver);
    driver.begin();
  });
}

/** Notifies observers after an event was emitted. */
interface Watcher {
  publish(): void;
}

interface Resumption {
  readonly value: unknown;
  readonly failed: boolean;
}

/** A class to save memory: every waiting phase has one. */
class Driver implements Cancellable, Unsubscribable {
  readonly #scope: Watcher | undefined;
  readonly #process: Process;
  readonly #subscriber: Subscriber<SettledEvent>;
  readonly #lifetime: Lifetime;
  /** A cancel before the start sets `lifetime.cancelled` and is not thrown, because the process could not catch it yet. */
  readonly #alreadyCancelled: boolean;
  readonly #registration: Unsubscribable;
  #finished = false;
  #forwarding = false;
  #cancelPending = false;
  #waiting: Following | undefined = undefined;

  constructor(process: Process, subscriber: Subscriber<SettledEvent>, lifetime: Lifetime, scope: Watcher | undefined) {
    this.#scope = scope;
    this.#process = process;
    this.#subscriber = subscriber;
    this.#lifetime = lifetime;
    this.#alreadyCancelled = lifetime.cancelled;
    this.#registration = lifetime.onCancel(this);
  }

  get log(): Logger | undefined {
    return this.#lifetime.log;
  }

  begin(): void {
    this.resume({ value: undefined, failed: false });
  }

  /** The consumer unsubscribed. */
  unsubscribe(): void {
    if (!this.#finished) this.#lifetime.cancel();
    this.#registration.unsubscribe();
  }

  cancel(): void {
    if (this.#waiting) this.#waiting.interrupt();
    else if (!this.#forwarding && !this.#alreadyCancelled) this.#cancelPending = true;
  }

  emit(event: SettledEvent): void {
    this.#subscriber.next(event);
  }

  resume(input: Resumption): void {
    let { value, failed } = input;
    this.#waiting = undefined;
    this.#forwarding = false;
    while (!this.#finished) {
      if (this.#cancelPending) {
        this.#cancelPending = false;
        value = CANCELLED;
        failed = true;
      }
      let step: IteratorResult<SettledEvent | Observable<SettledEvent> | Waiting, void>;
      try {
        step = failed ? this.#process.throw(value) : this.#process.next(value);
      } catch (error) {
        this.finish();
        if (error === CANCELLED) this.#subscriber.complete();
        else this.#subscriber.error(error);
        return;
      }
      failed = false;
      if (step.done) {
        this.finish();
        this.#subscriber.complete();
      } else if ('type' in step.value) {
        value = step.value;
        this.#subscriber.next(step.value);
        this.#scope?.publish();
      } else {
        const ended = this.follow(step.value);
        if (ended === undefined) return;
        ({ value, failed } = ended);
        this.#waiting = undefined;
        this.#forwarding = false;
      }
    }
  }

  /** Returns the outcome if the source ended synchronously. Otherwise the process resumes later. */
  private follow(yielded: Observable<SettledEvent> | Waiting): Resumption | undefined {
    const forwarding = !('wait' in yielded);
    this.#forwarding = forwarding;
    // A forwarding process reads its lifetime afterwards.
    if (forwarding) this.#cancelPending = false;
    const following = new Following(this, forwarding);
    following.listenTo(sourceOf(yielded));
    if (!following.ended && !forwarding) {
      this.#waiting = following;
      if (this.#cancelPending) {
        this.#cancelPending = false;
        following.interrupt();
      }
    }
    following.synchronous = false;
    return following.ended;
  }

  private finish(): void {
    this.#finished = true;
    this.#registration.unsubscribe();
  }
}

function sourceOf(yielded: Observable<SettledEvent> | Waiting): Observable<unknown> {
  if (!('wait' in yielded)) return yielded;
  const source = yielded.wait ?? EMPTY;
  yielded.wait = undefined;
  return source;
}

/** An Observable that a process waits for or forwards. */
class Following extends LoggingSubscriber<unknown> {
  ended: Resumption | undefined = undefined;
  synchronous = true;
  #last: unknown = undefined;
  readonly #driver: Driver;
  readonly #emits: boolean;

  constructor(driver: Driver, emits: boolean) {
    super(driver.log);
    this.#driver = driver;
    this.#emits = emits;
  }

  interrupt(): void {
    this.unsubscribe();
    this.end(CANCELLED, true);
  }

  protected override _next(value: unknown): void {
    this.#last = value;
    if (this.#emits) this.#driver.emit(value as SettledEvent);
  }

  // Release the source first: its lock must not last during the next step.
  protected override _error(error: unknown): void {
    this.unsubscribe();
    this.end(error, true);
  }

  protected override _complete(): void {
    this.unsubscribe();
    this.end(this.#last, false);
  }

  private end(value: unknown, failed: boolean): void {
    if (this.ended) return;
    this.ended = { value, failed };
    if (!this.synchronous) this.#driver.resume(this.ended);
  }
}

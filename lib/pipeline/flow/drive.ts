import { EMPTY, isObservable, Observable, type Subscriber, type Unsubscribable } from 'rxjs';
import type { SettledEvent } from '../../events/hook-event.ts';
import type { Logger } from '../logger.ts';
import type { Cancellable, Lifetime } from './lifetime.ts';
import { LoggingSubscriber } from './logging-subscriber.ts';

/** Thrown into a process where it waits when its lifetime is cancelled. */
export const CANCELLED: unique symbol = Symbol('cancelled');

interface Waiting {
  /** Taken out when the wait begins: a process keeps what it has yielded, and with it all that the Observable was made of. */
  wait: Observable<unknown> | undefined;
}

/**
 * Straight-line code over Observables: it yields settled events (emitted), Observables of them (forwarded, resumed with the last), or
 * something to wait for (resumed with the last value, not emitted).
 */
export type Process<R = void> = Generator<SettledEvent | Observable<SettledEvent> | Waiting, R, unknown>;

/** Within a process: the value, or the last value of the Observable. */
export function* wait<T>(source: T | Observable<T>): Process<T> {
  return isObservable(source) ? ((yield { wait: source }) as T) : source;
}

/** Within a process: emits all events of `source` and gives the last. */
export function* forward(source: Observable<SettledEvent>): Process<SettledEvent | undefined> {
  return (yield source) as SettledEvent | undefined;
}

/**
 * Runs a process as an Observable, which may also emit to the consumer that it is started with: synchronously as long as what it waits
 * for is synchronous, in a loop rather than by recursion. A cancel interrupts waiting by throwing `CANCELLED` into the process; forwarded Observables end by themselves. A cancel that
 * comes while the process runs is thrown at its next step, so whatever it was about to emit is not lost.
 */
export function drive(
  start: (consumer: Subscriber<SettledEvent>) => Process,
  lifetime: Lifetime,
  scope?: Telling,
): Observable<SettledEvent> {
  return new Observable<SettledEvent>((subscriber) => {
    const driver = new Driver(start(subscriber), subscriber, lifetime, scope);
    // Before anything runs: a consumer may have enough of a synchronous run while it is still going on.
    subscriber.add(driver);
    driver.begin();
  });
}

/** Who only watches, and hears of an event when it has been emitted. */
interface Telling {
  tell(): void;
}

interface Resumption {
  readonly value: unknown;
  readonly failed: boolean;
}

/** A class for its weight: every phase has one as long as it waits. */
class Driver implements Cancellable, Unsubscribable {
  readonly #scope: Telling | undefined;
  readonly #process: Process;
  readonly #subscriber: Subscriber<SettledEvent>;
  readonly #lifetime: Lifetime;
  /** What is cancelled before it began is told by `lifetime.cancelled`, not thrown: nothing of it has run that could catch it. */
  readonly #alreadyCancelled: boolean;
  readonly #registration: Unsubscribable;
  #finished = false;
  #forwarding = false;
  #cancelPending = false;
  #waiting: Following | undefined = undefined;

  constructor(process: Process, subscriber: Subscriber<SettledEvent>, lifetime: Lifetime, scope: Telling | undefined) {
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

  /** Nobody wants the events any more. */
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
        this.#scope?.tell();
      } else {
        const ended = this.follow(step.value);
        if (ended === undefined) return;
        ({ value, failed } = ended);
        this.#waiting = undefined;
        this.#forwarding = false;
      }
    }
  }

  /** What the source came to if it ended synchronously; otherwise the process is resumed when it does. */
  private follow(yielded: Observable<SettledEvent> | Waiting): Resumption | undefined {
    const forwarding = !('wait' in yielded);
    this.#forwarding = forwarding;
    // Whoever forwards asks its lifetime afterwards.
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

/** What a process waits for, or forwards. */
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

  // What the source holds is let go of first: a lock must not last over what follows.
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

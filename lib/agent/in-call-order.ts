import { Observable, type Subscriber } from 'rxjs';
import type { SettledEvent } from '../events/hook-event.ts';

export interface OrderedCall {
  /** True if it may run in parallel. Any other call waits for the calls before it, and the calls after it wait for it. */
  readonly parallel: boolean;
  /** Starts the call. `alone` waits until it may execute, if a hook turned it into a call that must not run in parallel. */
  start(alone: () => Observable<never>): Observable<SettledEvent>;
}

/** Runs calls in order, at most `concurrency` at a time. Their events are emitted as they happen. */
export function inCallOrder(calls: readonly OrderedCall[], concurrency: number): Observable<SettledEvent> {
  return new Observable((subscriber) => new CallOrder(calls, concurrency, subscriber).proceed());
}

class CallOrder {
  /** The running calls, by position. `turning` calls wait until they may execute alone. */
  readonly #running = new Map<number, 'parallel' | 'alone' | 'turning'>();
  readonly #turns = new Map<number, () => void>();
  readonly #calls: readonly OrderedCall[];
  readonly #concurrency: number;
  readonly #subscriber: Subscriber<SettledEvent>;
  #next = 0;
  #proceeding = false;

  constructor(calls: readonly OrderedCall[], concurrency: number, subscriber: Subscriber<SettledEvent>) {
    this.#calls = calls;
    this.#concurrency = concurrency;
    this.#subscriber = subscriber;
  }

  /** Starts as many calls as possible. It uses a loop, because thousands of calls that end at once would overflow the stack. */
  proceed(): void {
    if (this.#proceeding) return;
    this.#proceeding = true;
    while (this.giveTurn() || this.startNext());
    this.#proceeding = false;
    if (this.#next === this.#calls.length && this.#running.size === 0) this.#subscriber.complete();
  }

  private startNext(): boolean {
    const place = this.#next;
    const call = this.#calls[place];
    if (!call || this.#subscriber.closed || this.#running.size >= this.#concurrency) return false;
    const others = [...this.#running.values()];
    if (call.parallel ? others.some((how) => how !== 'parallel') : others.length > 0) return false;
    this.#next += 1;
    this.#running.set(place, call.parallel ? 'parallel' : 'alone');
    const events$ = call.start(() => this.alone(place));
    this.#subscriber.add(
      events$.subscribe({
        next: (event) => this.#subscriber.next(event),
        error: (thrown) => this.#subscriber.error(thrown),
        complete: () => {
          this.#running.delete(place);
          this.proceed();
        },
      }),
    );
    return true;
  }

  private alone(place: number): Observable<never> {
    return new Observable((subscriber) => {
      if (this.#running.get(place) === 'alone') return subscriber.complete();
      this.#running.set(place, 'turning');
      this.#turns.set(place, () => subscriber.complete());
      subscriber.add(() => void this.#turns.delete(place));
      this.proceed();
    });
  }

  /** Lets the first call that waits to be alone continue, if all running calls wait for the same. */
  private giveTurn(): boolean {
    if ([...this.#running.values()].some((how) => how !== 'turning')) return false;
    const [place] = [...this.#turns.keys()].sort((a, b) => a - b);
    if (place === undefined) return false;
    this.#running.set(place, 'alone');
    this.#turns.get(place)?.();
    return true;
  }
}

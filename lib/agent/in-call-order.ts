import { Observable, type Subscriber } from 'rxjs';
import type { SettledEvent } from '../events/hook-event.ts';

/** One call of a message. */
export interface OrderedCall {
  /** Whether it may run beside others that may. Any other waits for those before it and holds those after it. */
  readonly beside: boolean;
  /** Starts it. `alone` gives what to wait for before it executes, where a hook has made a call of it that must not run beside others. */
  start(alone: () => Observable<never>): Observable<SettledEvent>;
}

/** Runs calls in their order, at most `concurrency` at a time; their events come as they happen. */
export function inCallOrder(calls: readonly OrderedCall[], concurrency: number): Observable<SettledEvent> {
  return new Observable((subscriber) => new CallOrder(calls, concurrency, subscriber).proceed());
}

class CallOrder {
  /** The calls that have started and are not over, by their places: `turning` ones wait to be alone before they execute. */
  readonly #running = new Map<number, 'beside' | 'alone' | 'turning'>();
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

  /** Goes on as far as it can: in a loop, for thousands of calls that end at once would not fit on the stack. */
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
    if (call.beside ? others.some((how) => how !== 'beside') : others.length > 0) return false;
    this.#next += 1;
    this.#running.set(place, call.beside ? 'beside' : 'alone');
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

  /** The first of those that wait to be alone may go on when there are only others that wait for the same. */
  private giveTurn(): boolean {
    if ([...this.#running.values()].some((how) => how !== 'turning')) return false;
    const [place] = [...this.#turns.keys()].sort((a, b) => a - b);
    if (place === undefined) return false;
    this.#running.set(place, 'alone');
    this.#turns.get(place)?.();
    return true;
  }
}

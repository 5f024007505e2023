import { Observable, type Subscriber } from 'rxjs';
import { Relay } from './relay.ts';

/**
 * The subscriptions to one `next`, of which only the latest gets anything. The source of an earlier one is cut when a later one begins;
 * its subscriber is left in silence and completes after the latest: to complete at once would end a race of the two, never to complete
 * would hold up a merge.
 */
export class LatestOnly<Item> {
  /** How many there have been. */
  begun = 0;
  #current: Relay<Item> | undefined = undefined;
  #silenced: Set<Subscriber<Item>> | undefined = undefined;
  readonly #onFurther: () => void;
  readonly #onError: (thrown: unknown) => void;

  /** `onFurther` is told when there is a second one, a third; `onError` sees an error before it is passed on. */
  constructor(onFurther: () => void, onError: (thrown: unknown) => void) {
    this.#onFurther = onFurther;
    this.#onError = onError;
  }

  /** What `start` gives, once for each subscription, until a later one begins. */
  of(start: () => Observable<Item>): Observable<Item> {
    return new Observable<Item>((subscriber) => {
      const relay = new Relay(subscriber, (thrown) => {
        if (thrown) this.#onError(thrown.error);
        return true;
      });
      this.#silence(this.#current);
      this.#current = relay;
      this.begun += 1;
      if (this.begun > 1) this.#onFurther();
      subscriber.add(() => {
        this.#silenced?.delete(subscriber);
        if (this.#current !== relay) return;
        this.#current = undefined;
        for (const earlier of this.#silenced ?? []) earlier.complete();
      });
      start().subscribe(relay);
    });
  }

  #silence(relay: Relay<Item> | undefined): void {
    if (!relay) return;
    this.#silenced ??= new Set();
    this.#silenced.add(relay.target);
    relay.unsubscribe();
  }
}

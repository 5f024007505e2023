import { Observable, type Subscriber } from 'rxjs';
import { Relay } from './relay.ts';

/** Whoever may subscribe to a `next` several times. */
export interface Attempting {
  /** A second subscription has begun, a third. */
  further(): void;
  /** A source has failed; told before the error is passed on. */
  failed(thrown: unknown): void;
}

/**
 * The subscriptions to one `next`, of which only the latest gets anything. The source of an earlier one is cut when a later one begins;
 * its subscriber is left in silence and completes after the latest: to complete at once would end a race of the two, never to complete
 * would hold up a merge.
 */
export class LatestOnly<Item> {
  /** How many there have been. */
  begun = 0;
  #current: Attempt<Item> | undefined = undefined;
  #silenced: Set<Subscriber<Item>> | undefined = undefined;
  readonly #owner: Attempting;

  constructor(owner: Attempting) {
    this.#owner = owner;
  }

  /** What `start` gives, once for each subscription, until a later one begins. */
  of(start: () => Observable<Item>): Observable<Item> {
    return new Observable<Item>((subscriber) => {
      const attempt = new Attempt(subscriber, this.#owner);
      this.#silence(this.#current);
      this.#current = attempt;
      this.begun += 1;
      if (this.begun > 1) this.#owner.further();
      subscriber.add(() => {
        this.#silenced?.delete(subscriber);
        if (this.#current !== attempt) return;
        this.#current = undefined;
        for (const earlier of this.#silenced ?? []) earlier.complete();
      });
      start().subscribe(attempt);
    });
  }

  #silence(attempt: Attempt<Item> | undefined): void {
    if (!attempt) return;
    this.#silenced ??= new Set();
    this.#silenced.add(attempt.target);
    attempt.unsubscribe();
  }
}

class Attempt<Item> extends Relay<Item> {
  readonly #owner: Attempting;

  constructor(target: Subscriber<Item>, owner: Attempting) {
    super(target);
    this.#owner = owner;
  }

  protected override passesOn(failed: { readonly error: unknown } | undefined): boolean {
    if (failed) this.#owner.failed(failed.error);
    return true;
  }
}

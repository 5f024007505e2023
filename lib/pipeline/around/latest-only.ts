import { Observable } from 'rxjs';
import type { Sink } from '../flow/link.ts';
import { Relay } from '../flow/relay.ts';

/** Whoever may subscribe to a `next` several times. */
export interface Attempting<Item> {
  /** Where that goes which it takes itself. */
  readonly target: Sink<Item>;
  /** Whether nothing is wanted of it any more. */
  readonly closed: boolean;
  /** Somebody has subscribed then, and gets nothing. */
  tooLate(): void;
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
  #silenced: Set<Sink<Item>> | undefined = undefined;
  readonly #owner: Attempting<Item>;

  constructor(owner: Attempting<Item>) {
    this.#owner = owner;
  }

  /** What `start` gives, once for each subscription, until a later one begins. */
  of(start: () => Observable<Item>): Observable<Item> {
    return new Observable<Item>((subscriber) => {
      // Some operators ask although they have ended meanwhile; then nobody is to be asked.
      if (subscriber.closed) return;
      // A `next` that was kept must not run a tool behind the end of its step. No error: most who come so late listen to none.
      if (this.#owner.closed) {
        this.#owner.tooLate();
        subscriber.complete();
        return;
      }
      const attempt = new Attempt(subscriber, this.#owner, this);
      const earlier = this.#current;
      // First, for what is cut may end the new one.
      this.#current = attempt;
      this.silence(earlier);
      this.begun += 1;
      if (this.begun > 1) this.#owner.further();
      start().subscribe(attempt);
    });
  }

  /** Of an attempt: it is over. */
  ended(attempt: Attempt<Item>): void {
    if (this.#current !== attempt) return;
    this.#current = undefined;
    for (const earlier of this.#silenced ?? []) earlier.complete();
  }

  private silence(attempt: Attempt<Item> | undefined): void {
    if (!attempt) return;
    const { target } = attempt;
    this.#silenced ??= new Set();
    this.#silenced.add(target);
    target.add(() => this.#silenced?.delete(target));
    attempt.unsubscribe();
  }
}

class Attempt<Item> extends Relay<Item> {
  readonly #owner: Attempting<Item>;
  readonly #attempts: LatestOnly<Item>;

  constructor(target: Sink<Item>, owner: Attempting<Item>, attempts: LatestOnly<Item>) {
    super(target);
    this.#owner = owner;
    this.#attempts = attempts;
    // A wrapper that gives what it is given as it is.
    if ((target as unknown) === owner) this.sink = owner.target;
  }

  override unsubscribe(): void {
    if (this.closed) return;
    super.unsubscribe();
    this.#attempts.ended(this);
  }

  protected override passesOn(failed: { readonly error: unknown } | undefined): boolean {
    if (failed) this.#owner.failed(failed.error);
    return true;
  }
}

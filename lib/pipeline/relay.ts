import { Subscriber } from 'rxjs';

/**
 * A subscriber that passes on to `target` what it gets, and is asked first what an error or a completion is to become. Operators would do
 * the same with several objects for each link, and every chunk goes through all links.
 */
export class Relay<T> extends Subscriber<T> {
  /** Whether anything has been passed on. */
  given = false;
  readonly target: Subscriber<T>;
  readonly #onEnd: ((thrown?: { readonly error: unknown }) => boolean) | undefined;

  /** `onEnd` gets the error, or nothing on completion; it gives `false` where it has dealt with it and nothing is to be passed on. */
  constructor(target: Subscriber<T>, onEnd?: (thrown?: { readonly error: unknown }) => boolean) {
    super();
    this.target = target;
    this.#onEnd = onEnd;
    target.add(this);
  }

  protected override _next(value: T): void {
    this.given = true;
    this.target.next(value);
  }

  protected override _error(error: unknown): void {
    if (this.#onEnd?.({ error }) ?? true) this.target.error(error);
    this.unsubscribe();
  }

  protected override _complete(): void {
    if (this.#onEnd?.() ?? true) this.target.complete();
    this.unsubscribe();
  }
}

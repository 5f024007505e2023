import { Link, type Sink } from './link.ts';

/**
 * A subscriber that passes on to `target` what it gets. Operators would do the same with several objects for each link, and every chunk
 * goes through all links.
 */
export class Relay<T> extends Link<T> {
  /** Whether anything has been passed on. */
  given = false;
  /** Where values go. Whoever feeds this link directly may give them there: each chunk would only pass through. */
  sink: Sink<T>;
  readonly target: Sink<T>;

  constructor(target: Sink<T>) {
    super();
    this.sink = target;
    this.target = target;
    target.add(this);
  }

  /** Is asked before an error is passed on, or a completion; `false` where it has dealt with it and nothing is to be passed on. */
  protected passesOn(_failed: { readonly error: unknown } | undefined): boolean {
    return true;
  }

  protected override onNext(value: T): void {
    this.given = true;
    this.sink.next(value);
  }

  protected override onError(error: unknown): void {
    if (this.passesOn({ error })) this.target.error(error);
    this.unsubscribe();
  }

  protected override onComplete(): void {
    if (this.passesOn(undefined)) this.target.complete();
    this.unsubscribe();
  }
}

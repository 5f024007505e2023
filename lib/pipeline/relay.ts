import type { Subscriber } from 'rxjs';
import { Link } from './link.ts';

/**
 * A subscriber that passes on to `target` what it gets. Operators would do the same with several objects for each link, and every chunk
 * goes through all links.
 */
export class Relay<T> extends Link<T> {
  /** Whether anything has been passed on. */
  given = false;
  /** Where values go. Whoever feeds this link directly may give them there: each chunk would only pass through. */
  sink: Subscriber<T>;
  readonly target: Subscriber<T>;

  constructor(target: Subscriber<T>) {
    super();
    this.sink = target;
    this.target = target;
    target.add(this);
  }

  /** Is asked before an error is passed on, or a completion; `false` where it has dealt with it and nothing is to be passed on. */
  protected passesOn(_failed: { readonly error: unknown } | undefined): boolean {
    return true;
  }

  protected override _next(value: T): void {
    this.given = true;
    this.sink.next(value);
  }

  protected override _error(error: unknown): void {
    if (this.passesOn({ error })) this.target.error(error);
    this.unsubscribe();
  }

  protected override _complete(): void {
    if (this.passesOn(undefined)) this.target.complete();
    this.unsubscribe();
  }
}

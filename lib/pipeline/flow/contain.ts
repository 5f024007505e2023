import { Observable } from 'rxjs';
import type { Logger } from '../logger.ts';
import type { Sink } from './link.ts';
import { Relay } from './relay.ts';

/** `source`, which is somebody else's, such that operators can be put behind it: what its teardown throws is logged, and stops none of them. */
export function contain<T>(source: Observable<T>, log: Logger | undefined): Observable<T> {
  return new Observable((subscriber) => new Contained(subscriber, log).start(source));
}

class Contained<T> extends Relay<T> {
  readonly #log: Logger | undefined;

  constructor(target: Sink<T>, log: Logger | undefined) {
    super(target);
    this.#log = log;
  }

  start(source: Observable<T>): void {
    this.listenTo(source);
  }

  protected override get log(): Logger | undefined {
    return this.#log;
  }
}

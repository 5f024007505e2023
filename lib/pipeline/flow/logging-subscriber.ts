import { type Observable, type Observer, Subscription, type TeardownLogic, type Unsubscribable } from 'rxjs';
import { type Logger, logTeardown } from '../logger.ts';

type Teardown = Exclude<TeardownLogic, void>;

/** Where an Observable's values go, with what is let go of at its end: what is needed of a `Subscriber` of RxJS, which is one. */
export interface Sink<T> extends Observer<T>, Unsubscribable {
  readonly closed: boolean;
  add(teardown: TeardownLogic): void;
  remove(teardown: Teardown): void;
}

/** Things that are let go of together, in the order of adding; a class of its own, to be told from a single one. */
class Several extends Subscription {}

/**
 * A subscriber to what a host or a hook gave. What their teardowns throw is logged and stops nothing: whoever lets go of something goes on
 * whatever that does. Made with a destination, it passes on what it gets; `_next`, `_error` and `_complete` are to be overridden as those
 * of a `Subscriber` of RxJS are.
 *
 * It is none of those, which weigh twice as much and begin a list for the first teardown, with room for seventeen: a run that waits has
 * several, and ten thousand runs side by side pay a fifth for that. RxJS takes for a subscriber what looks like one (`isSubscriber`), so
 * that those of another copy of it work.
 */
export class LoggingSubscriber<T> implements Sink<T> {
  // Set by the constructor, not as fields: V8 is slow to define those of a class that many others extend.
  declare closed: boolean;
  declare protected isStopped: boolean;
  declare private teardown: Teardown | undefined;
  declare protected readonly log: Logger | undefined;
  declare protected readonly destination: Sink<T> | undefined;

  constructor(log: Logger | undefined, destination?: Sink<T>) {
    this.closed = false;
    this.isStopped = false;
    this.teardown = undefined;
    this.log = log;
    this.destination = destination;
    destination?.add(this);
  }

  /** Subscribes to `source`. What its `subscribe` throws is its error, or its teardown's once it has ended. */
  listenTo(source: Observable<T>): void {
    try {
      const subscription: Unsubscribable = source.subscribe(this);
      // An Observable of a stranger may have put a subscriber of its own before this one.
      if (subscription !== this) this.add(subscription);
    } catch (thrown) {
      if (this.isStopped) logTeardown(this.log, thrown);
      else this.error(thrown);
    }
  }

  next(value: T): void {
    if (!this.isStopped) this._next(value);
  }

  error(thrown: unknown): void {
    if (this.isStopped) return;
    this.isStopped = true;
    this._error(thrown);
  }

  complete(): void {
    if (this.isStopped) return;
    this.isStopped = true;
    this._complete();
  }

  add(teardown: TeardownLogic): void {
    if (!teardown || teardown === this) return;
    if (this.closed) this.letGo(teardown);
    else if (this.teardown === undefined) this.teardown = teardown;
    else if (this.teardown instanceof Several) this.teardown.add(teardown);
    else {
      const several = new Several();
      several.add(this.teardown);
      several.add(teardown);
      this.teardown = several;
    }
  }

  remove(teardown: Teardown): void {
    if (teardown === this.teardown) this.teardown = undefined;
    else if (this.teardown instanceof Several) this.teardown.remove(teardown);
  }

  unsubscribe(): void {
    if (this.closed) return;
    this.closed = true;
    this.isStopped = true;
    const teardown = this.teardown;
    this.teardown = undefined;
    if (teardown) this.letGo(teardown);
  }

  protected _next(value: T): void {
    this.destination?.next(value);
  }

  protected _error(thrown: unknown): void {
    this.destination?.error(thrown);
    this.unsubscribe();
  }

  protected _complete(): void {
    this.destination?.complete();
    this.unsubscribe();
  }

  private letGo(teardown: Teardown): void {
    try {
      if (typeof teardown === 'function') teardown();
      else teardown.unsubscribe();
    } catch (thrown) {
      logTeardown(this.log, thrown);
    }
  }
}

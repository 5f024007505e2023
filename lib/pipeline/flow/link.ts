import { type Observable, type Observer, Subscription, type TeardownLogic, type Unsubscribable } from 'rxjs';
import type { Logger } from '../logger.ts';
import { logTeardown } from '../run/log-failure.ts';

type Teardown = Exclude<TeardownLogic, void>;

/** Where an Observable's values go, with what is let go of at its end: what links need of a `Subscriber` of RxJS, which is one. */
export interface Sink<T> extends Observer<T>, Unsubscribable {
  readonly closed: boolean;
  add(teardown: TeardownLogic): void;
  remove(teardown: Teardown): void;
}

/** Things that are let go of together, in the order of adding; a class of its own, to be told from a single one. */
class Several extends Subscription {}

/**
 * A subscriber that mostly has one thing to let go of, its source. It is none of RxJS's own, which weigh twice as much and begin a list
 * for the first teardown, with room for seventeen: a run that waits has a link of every kind. RxJS takes for a subscriber what looks like
 * one (`isSubscriber`), so that those of another copy of it work.
 */
export abstract class Link<T> implements Sink<T> {
  #state: 'open' | 'stopped' | 'closed' = 'open';
  #teardown: Teardown | undefined = undefined;

  get closed(): boolean {
    return this.#state === 'closed';
  }

  next(value: T): void {
    if (this.#state === 'open') this.onNext(value);
  }

  error(thrown: unknown): void {
    if (this.stop()) this.onError(thrown);
  }

  complete(): void {
    if (this.stop()) this.onComplete();
  }

  add(teardown: TeardownLogic): void {
    if (!teardown || teardown === this) return;
    if (this.closed) this.letGo(teardown);
    else if (this.#teardown === undefined) this.#teardown = teardown;
    else if (this.#teardown instanceof Several) this.#teardown.add(teardown);
    else {
      const several = new Several();
      several.add(this.#teardown);
      several.add(teardown);
      this.#teardown = several;
    }
  }

  remove(teardown: Teardown): void {
    if (teardown === this.#teardown) this.#teardown = undefined;
    else if (this.#teardown instanceof Several) this.#teardown.remove(teardown);
  }

  unsubscribe(): void {
    if (this.closed) return;
    this.#state = 'closed';
    const teardown = this.#teardown;
    this.#teardown = undefined;
    if (teardown) this.letGo(teardown);
  }

  /** Subscribes to what a host or a hook gave. What its `subscribe` throws is its error, or its teardown's once it has ended. */
  protected listenTo(source: Observable<T>): void {
    try {
      const subscription: Unsubscribable = source.subscribe(this);
      // An Observable of a stranger may have put a subscriber of its own before this one.
      if (subscription !== this) this.add(subscription);
    } catch (thrown) {
      if (this.#state === 'open') this.error(thrown);
      else logTeardown(this.log, thrown);
    }
  }

  /** Where it is told what its teardown throws: whoever lets go of something goes on whatever that does. */
  protected get log(): Logger | undefined {
    return undefined;
  }

  private letGo(teardown: Teardown): void {
    try {
      if (typeof teardown === 'function') teardown();
      else teardown.unsubscribe();
    } catch (thrown) {
      logTeardown(this.log, thrown);
    }
  }

  /** Takes no more values; whether it did until now. */
  protected stop(): boolean {
    if (this.#state !== 'open') return false;
    this.#state = 'stopped';
    return true;
  }

  protected abstract onNext(value: T): void;
  /** Has to unsubscribe, as `onComplete` has. */
  protected abstract onError(thrown: unknown): void;
  protected abstract onComplete(): void;
}

import { type Observable, Subscriber, type TeardownLogic } from 'rxjs';
import { type Logger, logTeardown } from '../logger.ts';

/**
 * A subscriber to what a host or a hook gave. What their teardowns throw is logged and stops nothing: whoever lets go of something goes on
 * whatever that does. Made with a destination, it passes on what it gets.
 */
export class LoggingSubscriber<T> extends Subscriber<T> {
  // Set by the constructor, not as a field: V8 is slow to define one of a class that many others extend.
  declare protected readonly log: Logger | undefined;

  constructor(log: Logger | undefined, destination?: Subscriber<T>) {
    super(destination);
    this.log = log;
  }

  /** Subscribes to `source`. What its `subscribe` throws is its error, or its teardown's once it has ended. */
  listenTo(source: Observable<T>): void {
    try {
      const subscription = source.subscribe(this);
      // An Observable of a stranger may have put a subscriber of its own before this one.
      if (subscription !== this) this.add(subscription);
    } catch (thrown) {
      if (this.isStopped) logTeardown(this.log, thrown);
      else this.error(thrown);
    }
  }

  override add(teardown: TeardownLogic): void {
    try {
      super.add(teardown);
    } catch (thrown) {
      logTeardown(this.log, thrown);
    }
  }

  override unsubscribe(): void {
    try {
      super.unsubscribe();
    } catch (thrown) {
      logTeardown(this.log, thrown);
    }
  }
}

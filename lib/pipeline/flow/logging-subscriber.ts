import { type Observable, Subscriber, type TeardownLogic } from 'rxjs';
import { type Logger, logTeardown } from '../logger.ts';

/**
 * A subscriber to an Observable of a host or a hook. It logs errors of their teardowns and continues. If it has a destination, it forwards all
 * notifications.
 */
export class LoggingSubscriber<T> extends Subscriber<T> {
  // Set by the constructor instead of a field definition, which V8 runs slowly for a class with many subclasses.
  declare protected readonly log: Logger | undefined;

  constructor(log: Logger | undefined, destination?: Subscriber<T>) {
    super(destination);
    this.log = log;
  }

  /** Subscribes to `source`. An error that `subscribe` throws is an error of the source, or of its teardown after the end. */
  listenTo(source: Observable<T>): void {
    try {
      const subscription = source.subscribe(this);
      // A foreign Observable may wrap this subscriber in its own.
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

import { finalize, type Observable, take } from 'rxjs';
import type { Logger } from '../../../pipeline/logger.ts';

export interface Notifier<T> {
  /** Calls `how` as soon as the process is ready. Drops the notification if the process is down or the queue is full. */
  notify(how: (to: T) => void): void;
  /** Number of notifications that wait for the process to start. */
  readonly waiting: number;
}

/** Maximum queue length. The start timeout is a limit as well, but a busy host emits many events in five seconds. */
const MOST = 1_024;

/** Creates a notifier. `use` emits the process, synchronously if it is ready, and errors if it is down. */
export function createNotifier<T>(name: string, use: () => Observable<T>, log: Logger): Notifier<T> {
  let waiting = 0;
  let dropped = 0;

  function endOne(): void {
    waiting -= 1;
    if (waiting > 0 || dropped === 0) return;
    log.warn({ hook: name, dropped }, 'a hook process missed events, because it started slowly');
    dropped = 0;
  }

  return {
    notify(how) {
      if (waiting >= MOST) {
        dropped += 1;
        return;
      }
      waiting += 1;
      use()
        .pipe(take(1), finalize(endOne))
        .subscribe({
          next(to) {
            try {
              how(to);
            } catch (thrown) {
              log.warn({ hook: name, err: thrown }, 'an event could not be sent to a hook process');
            }
          },
          error: (thrown: unknown) => log.debug({ hook: name, err: thrown }, 'a hook process missed an event'),
        });
    },
    get waiting() {
      return waiting;
    },
  };
}

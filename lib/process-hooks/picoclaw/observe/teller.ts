import { finalize, type Observable, take } from 'rxjs';
import type { Logger } from '../../../pipeline/logger.ts';

/** Tells a process things, of which nobody waits for an answer. */
export interface Teller<T> {
  /** Hands over the process as soon as it is up; nothing when it is down, or when too much waits for it already. */
  tell(how: (to: T) => void): void;
  /** How much waits for a process that is starting. */
  readonly waiting: number;
}

/** What waits for a process that is starting; time bounds it too, but a busy host makes many events in five seconds. */
const MOST = 1_024;

/** Makes a teller. `use` gives the process, at once when it is up, or an error when it is down. */
export function createTeller<T>(name: string, use: () => Observable<T>, log: Logger): Teller<T> {
  let waiting = 0;
  let dropped = 0;

  function endOne(): void {
    waiting -= 1;
    if (waiting > 0 || dropped === 0) return;
    log.warn({ hook: name, dropped }, 'a hook process was not told everything, for it took long to start');
    dropped = 0;
  }

  return {
    tell(how) {
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
              log.warn({ hook: name, err: thrown }, 'a hook process could not be told');
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

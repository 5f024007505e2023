import { asyncScheduler, type SchedulerLike, type Unsubscribable } from 'rxjs';

/** Does `work` in so many milliseconds by the clock of `scheduler`, unless it is unsubscribed before; never where they are `Infinity`. */
export function runLater(scheduler: SchedulerLike, ms: number, work: () => void): Unsubscribable {
  if (ms === Number.POSITIVE_INFINITY) return never;
  return scheduler === asyncScheduler ? new Timer(ms, work) : scheduler.schedule(work, ms);
}

const never: Unsubscribable = { unsubscribe() {} };

/** The usual clock is Node's own timers; an action of RxJS on top of one costs twice as much, and most are let go of unused. */
class Timer implements Unsubscribable {
  readonly #timer: ReturnType<typeof setTimeout>;

  constructor(ms: number, work: () => void) {
    this.#timer = setTimeout(work, ms);
  }

  unsubscribe(): void {
    clearTimeout(this.#timer);
  }
}

import { asyncScheduler, type VirtualTimeScheduler } from 'rxjs';

/** Maximum virtual time of a case, in milliseconds. */
export const MAX_FRAMES = 3_600_000;

/** Runs virtual time until `over` returns true, no action is left, or the time limit is reached. */
export function advance(scheduler: VirtualTimeScheduler, over: () => boolean): void {
  for (let next = scheduler.actions[0]; next && !over(); next = scheduler.actions[0]) {
    if (next.delay > MAX_FRAMES) return;
    scheduler.maxFrames = next.delay;
    scheduler.flush();
  }
}

/** Waits until `start` calls its argument, but at most `ms`. */
export function within(ms: number, start: (resolve: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = asyncScheduler.schedule(() => resolve(), ms);
    start(() => {
      timer.unsubscribe();
      resolve();
    });
  });
}

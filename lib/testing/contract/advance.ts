import { asyncScheduler, type VirtualTimeScheduler } from 'rxjs';

/** Virtual milliseconds that a case may take. */
export const MAX_FRAMES = 3_600_000;

/** Runs virtual time until `over` says so, nothing is left to do, or it has taken too long. */
export function advance(scheduler: VirtualTimeScheduler, over: () => boolean): void {
  for (let next = scheduler.actions[0]; next && !over(); next = scheduler.actions[0]) {
    if (next.delay > MAX_FRAMES) return;
    scheduler.maxFrames = next.delay;
    scheduler.flush();
  }
}

/** Waits until what `start` was given is called, but no longer than `ms`. */
export function within(ms: number, start: (resolve: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = asyncScheduler.schedule(() => resolve(), ms);
    start(() => {
      timer.unsubscribe();
      resolve();
    });
  });
}

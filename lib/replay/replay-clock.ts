import { type SchedulerLike, VirtualAction, VirtualTimeScheduler } from 'rxjs';

/** The time of a replay. It does not wait for timers, but for promises of hooks. */
export interface ReplayClock {
  readonly scheduler: SchedulerLike;
  /**
   * Runs timers until `isDone`. Before each step forward in time, promises can settle: `settling()` is one to wait for. Resolves to false if nothing
   * is left that could happen.
   */
  runUntil(isDone: () => boolean, settling: () => Promise<unknown> | undefined): Promise<boolean>;
}

/** Rounds of the event loop without a timer after which a replay is stuck. */
const IDLE_ROUNDS = 20;

/** Creates a clock that starts at `start`, in milliseconds since 1970. */
export function createReplayClock(start: number): ReplayClock {
  const virtual = new VirtualTimeScheduler(VirtualAction);
  // Not the scheduler itself: the engine would assume that promises cannot settle.
  const scheduler: SchedulerLike = {
    now: () => start + virtual.frame,
    schedule: (work, delay, state) => virtual.schedule(work as () => void, delay, state),
  };

  function runTo(frame: number): void {
    virtual.maxFrames = frame;
    virtual.flush();
  }

  return {
    scheduler,
    async runUntil(isDone, settling) {
      for (let idle = 0; idle < IDLE_ROUNDS; ) {
        runTo(virtual.frame);
        if (isDone()) return true;
        await (settling() ?? nextRound());
        if (isDone()) return true;
        const next = virtual.actions[0]?.delay;
        if (next === undefined) idle += 1;
        else idle = 0;
        if (next !== undefined && settling() === undefined) runTo(next);
      }
      return isDone();
    },
  };
}

function nextRound(): Promise<void> {
  return new Promise((done) => void setImmediate(done));
}

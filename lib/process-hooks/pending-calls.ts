import { asyncScheduler, type SchedulerLike, type Unsubscribable } from 'rxjs';
import type { PendingCall } from './pending-call.ts';

/**
 * Pending calls, each until it is `due`. Nearly all are answered much earlier, so one timer serves all. It fires at the first deadline and checks
 * which calls are late. One timer per call took as long as reading its answer.
 */
export class PendingCalls {
  readonly #calls = new Map<number, PendingCall>();
  readonly #clock: Clock;
  readonly #late: (call: PendingCall) => void;
  #timer: Timer | undefined = undefined;
  #goesOff = Number.POSITIVE_INFINITY;

  /** `late` receives each call that has timed out. The call is no longer pending. */
  constructor(scheduler: SchedulerLike, late: (call: PendingCall) => void) {
    this.#clock = scheduler === asyncScheduler ? machine : clockOf(scheduler);
    this.#late = late;
  }

  add(call: PendingCall): void {
    const { id, timeoutMs } = call.question;
    this.#calls.set(id, call);
    call.due = this.#clock.now() + timeoutMs;
    if (call.due < this.#goesOff) this.goOffAt(call.due, timeoutMs);
    else if (this.#calls.size === 1) this.#timer?.ref?.();
  }

  /** Removes and returns the call with that id. */
  take(id: number): PendingCall | undefined {
    const call = this.#calls.get(id);
    if (call === undefined) return undefined;
    this.#calls.delete(id);
    if (this.#calls.size === 0) this.rest();
    return call;
  }

  has(id: number): boolean {
    return this.#calls.has(id);
  }

  ids(): number[] {
    return [...this.#calls.keys()];
  }

  /** Stops the timer. No more calls can follow. */
  close(): void {
    this.#timer?.unsubscribe();
    this.#timer = undefined;
    this.#goesOff = Number.POSITIVE_INFINITY;
  }

  /** Lets the host exit although the timer is set. The timer stays for the next call. */
  private rest(): void {
    if (this.#timer?.unref) this.#timer.unref();
    else this.close();
  }

  private goOffAt(due: number, ms: number): void {
    this.#timer?.unsubscribe();
    this.#goesOff = due;
    this.#timer = this.#clock.set(ms, () => this.goOff());
  }

  private goOff(): void {
    this.close();
    const now = this.#clock.now();
    const late: number[] = [];
    let next = Number.POSITIVE_INFINITY;
    for (const [id, { due }] of this.#calls) {
      if (due <= now) late.push(id);
      else next = Math.min(next, due);
    }
    if (next < Number.POSITIVE_INFINITY) this.goOffAt(next, next - now);
    for (const id of late) {
      const call = this.take(id);
      if (call) this.#late(call);
    }
  }
}

/** A one-shot timer. A system timer can also keep the host alive or not. */
interface Timer extends Unsubscribable {
  ref?(): void;
  unref?(): void;
}

interface Clock {
  now(): number;
  set(ms: number, work: () => void): Timer;
}

const machine: Clock = {
  // Not the time of day, which may be changed meanwhile.
  now: () => performance.now(),
  set(ms, work) {
    const timer = setTimeout(work, ms);
    return { unsubscribe: () => clearTimeout(timer), ref: () => timer.ref(), unref: () => timer.unref() };
  },
};

function clockOf(scheduler: SchedulerLike): Clock {
  return { now: () => scheduler.now(), set: (ms, work) => scheduler.schedule(work, ms) };
}

import { asyncScheduler, type SchedulerLike, type Unsubscribable } from 'rxjs';
import type { PendingCall } from './pending-call.ts';

/**
 * The calls that wait for their answers, each until it is `due`. Nearly all are answered long before, so that one timer stands for all: it
 * goes off at the first time that was due, and looks who is late then. To set one for each call took as long as to read its answer.
 */
export class PendingCalls {
  readonly #calls = new Map<number, PendingCall>();
  readonly #clock: Clock;
  readonly #late: (call: PendingCall) => void;
  #timer: Timer | undefined = undefined;
  #goesOff = Number.POSITIVE_INFINITY;

  /** `late` is told of each call whose time is over, and which waits no more. */
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

  /** The call of that id, which waits no more. */
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

  /** Lets go of the timer: no more calls come. */
  close(): void {
    this.#timer?.unsubscribe();
    this.#timer = undefined;
    this.#goesOff = Number.POSITIVE_INFINITY;
  }

  /** The host need not live for a timer that nobody waits for; it stays for the next call. */
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

/** What goes off once. A timer of the machine can be told whether the host lives for it. */
interface Timer extends Unsubscribable {
  ref?(): void;
  unref?(): void;
}

interface Clock {
  now(): number;
  set(ms: number, work: () => void): Timer;
}

const machine: Clock = {
  // Not the time of day, which may be set while somebody waits.
  now: () => performance.now(),
  set(ms, work) {
    const timer = setTimeout(work, ms);
    return { unsubscribe: () => clearTimeout(timer), ref: () => timer.ref(), unref: () => timer.unref() };
  },
};

function clockOf(scheduler: SchedulerLike): Clock {
  return { now: () => scheduler.now(), set: (ms, work) => scheduler.schedule(work, ms) };
}

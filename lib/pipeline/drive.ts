import { isObservable, Observable, type Subscriber } from 'rxjs';
import type { Settled } from '../events/hook-event.ts';
import type { Lifetime } from './lifetime.ts';
import { createSink } from './sink.ts';

/** Thrown into a process where it waits when its lifetime is cancelled. */
export const CANCELLED: unique symbol = Symbol('cancelled');

interface Waiting {
  readonly wait: Observable<unknown>;
}

/**
 * Straight-line code over Observables: it yields settled events (emitted), Observables of them (forwarded, resumed with the last), or
 * something to wait for (resumed with the last value, not emitted).
 */
export type Process<R = void> = Generator<Settled | Observable<Settled> | Waiting, R, unknown>;

/** Within a process: the value, or the last value of the Observable. */
export function* wait<T>(source: T | Observable<T>): Process<T> {
  return isObservable(source) ? ((yield { wait: source }) as T) : source;
}

/** Within a process: emits all events of `source` and gives the last. */
export function* forward(source: Observable<Settled>): Process<Settled | undefined> {
  return (yield source) as Settled | undefined;
}

/**
 * Runs a process as an Observable, which may also emit to the consumer that it is started with: synchronously as long as what it waits for is synchronous, in a loop rather than by recursion.
 * A cancel interrupts waiting by throwing `CANCELLED` into the process; forwarded Observables end by themselves. A cancel that
 * comes while the process runs is thrown at its next step, so whatever it was about to emit is not lost.
 */
export function drive(start: (consumer: Subscriber<Settled>) => Process, lifetime: Lifetime): Observable<Settled> {
  return new Observable<Settled>((subscriber) => {
    const process = start(subscriber);
    let finished = false;
    let forwarding = false;
    let cancelPending = false;
    let interrupt: (() => void) | undefined;

    // What is cancelled before it began is told by `lifetime.cancelled`, not thrown: nothing of it has run that could catch it.
    const alreadyCancelled = lifetime.cancelled;
    const stopListening = lifetime.onCancel(() => {
      if (interrupt) interrupt();
      else if (!forwarding && !alreadyCancelled) cancelPending = true;
    });

    function finish(): void {
      finished = true;
      stopListening();
    }

    function resume(input: Resumption): void {
      let { value, failed } = input;
      while (!finished) {
        if (cancelPending) {
          cancelPending = false;
          value = CANCELLED;
          failed = true;
        }
        let step: IteratorResult<Settled | Observable<Settled> | Waiting, void>;
        try {
          step = failed ? process.throw(value) : process.next(value);
        } catch (error) {
          finish();
          if (error === CANCELLED) subscriber.complete();
          else subscriber.error(error);
          return;
        }
        failed = false;
        if (step.done) {
          finish();
          subscriber.complete();
        } else if ('type' in step.value) {
          value = step.value;
          subscriber.next(step.value);
        } else {
          forwarding = !('wait' in step.value);
          const ended = follow('wait' in step.value ? step.value.wait : step.value);
          if (ended === undefined) return;
          ({ value, failed } = ended);
        }
      }
    }

    /** What the source came to if it ended synchronously; otherwise the process is resumed when it does. */
    function follow(source: Observable<unknown>): Resumption | undefined {
      const emits = forwarding;
      let last: unknown;
      let ended: Resumption | undefined;
      let synchronous = true;
      const end = (value: unknown, failed: boolean): void => {
        if (ended) return;
        ended = { value, failed };
        interrupt = undefined;
        forwarding = false;
        if (!synchronous) resume(ended);
      };
      const sink = createSink<unknown>({
        next: (value) => {
          last = value;
          if (emits) subscriber.next(value as Settled);
        },
        error: (error) => end(error, true),
        complete: () => end(last, false),
      });
      source.subscribe(sink);
      if (!ended && !emits) {
        interrupt = () => {
          sink.unsubscribe();
          end(CANCELLED, true);
        };
        if (cancelPending) {
          cancelPending = false;
          interrupt();
        }
      }
      synchronous = false;
      return ended;
    }

    // Before anything runs: a consumer may have enough of a synchronous run while it is still going on.
    subscriber.add(() => {
      if (!finished) lifetime.cancel();
      stopListening();
    });
    resume({ value: undefined, failed: false });
  });
}

interface Resumption {
  readonly value: unknown;
  readonly failed: boolean;
}

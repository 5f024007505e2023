import { Observable, type Subscriber } from 'rxjs';
import { createSink } from './sink.ts';

/** A round of stages that waits for one of them, and how the round goes on then. */
export interface Pending<R> {
  /** Begins to wait; what is answered goes to `sink`. */
  wait(sink: Subscriber<unknown>): void;
  /** After so many values nothing more is waited for. */
  readonly most: number;
  /** Goes on with the last of `count` values. What this and `failed` throw ends the round. */
  goOn(answer: unknown, count: number): R | Pending<R>;
  failed(thrown: unknown): R | Pending<R>;
}

/** What a round of stages comes to: at once if it does, else when every stage has answered. However many answer, the stack stays flat. */
export function inTurn<R extends object>(first: R | Pending<R>): R | Observable<R> {
  return isPending(first) ? new Observable<R>((subscriber) => follow(first, subscriber)) : first;
}

function follow<R extends object>(first: R | Pending<R>, subscriber: Subscriber<R>): void {
  let round: R | Pending<R> = first;
  while (isPending(round)) {
    const waiting: Pending<R> = round;
    let answer: unknown;
    let count = 0;
    let failure: { readonly thrown: unknown } | undefined;
    let ended = false;
    let synchronous = true;
    const goOn = (): R | Pending<R> | undefined => {
      try {
        return failure ? waiting.failed(failure.thrown) : waiting.goOn(answer, count);
      } catch (thrown) {
        subscriber.error(thrown);
        return undefined;
      }
    };
    const end = (): void => {
      ended = true;
      // It is let go before anything goes on, also where it is late or would give more.
      sink.unsubscribe();
      if (synchronous) return;
      const next = goOn();
      if (next) follow(next, subscriber);
    };
    const sink = createSink<unknown>({
      next(value) {
        count += 1;
        answer = value;
        if (count === waiting.most) end();
      },
      error(thrown) {
        failure = { thrown };
        end();
      },
      complete: end,
    });
    subscriber.add(sink);
    waiting.wait(sink);
    synchronous = false;
    const next = ended ? goOn() : undefined;
    if (!next) return;
    round = next;
  }
  subscriber.next(round);
  subscriber.complete();
}

function isPending<R extends object>(round: R | Pending<R>): round is Pending<R> {
  return 'goOn' in round;
}

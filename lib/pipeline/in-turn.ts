import { Observable, type Subscriber } from 'rxjs';
import { createSink } from './sink.ts';

/** A round of stages that waits for one of them: what it will answer (exactly once), and how the round goes on then. */
export interface Pending<R> {
  readonly pending$: Observable<unknown>;
  goOn(answer: unknown): R | Pending<R>;
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
    let answered = false;
    let synchronous = true;
    const goOn = (): R | Pending<R> | undefined => {
      try {
        return waiting.goOn(answer);
      } catch (thrown) {
        subscriber.error(thrown);
        return undefined;
      }
    };
    const sink = createSink<unknown>({
      next(value) {
        answer = value;
      },
      error: (thrown) => subscriber.error(thrown),
      complete() {
        answered = true;
        if (synchronous) return;
        const next = goOn();
        if (next) follow(next, subscriber);
      },
    });
    subscriber.add(sink);
    waiting.pending$.subscribe(sink);
    synchronous = false;
    const next = answered ? goOn() : undefined;
    if (!next) return;
    round = next;
  }
  subscriber.next(round);
  subscriber.complete();
}

function isPending<R extends object>(round: R | Pending<R>): round is Pending<R> {
  return 'pending$' in round;
}

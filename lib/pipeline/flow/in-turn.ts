import { Observable, type Subscriber } from 'rxjs';
import { LoggingSubscriber } from './logging-subscriber.ts';

/** A round of stages that waits for one stage. */
export interface Pending<R> {
  /** Starts the wait. Answers go to `sink`. */
  wait(sink: Subscriber<unknown>): void;
  /** Continues with the last of `count` values, after the stage completed or emitted a second one. An error of this or of `failed` ends the round. */
  goOn(answer: unknown, count: number): R | Pending<R>;
  failed(thrown: unknown): R | Pending<R>;
}

/** Returns the outcome of a round of stages, synchronously if all stages are. The stack stays flat for any number of stages. */
export function inTurn<R extends object>(first: R | Pending<R>): R | Observable<R> {
  return isPending(first) ? new Observable<R>((subscriber) => follow(first, subscriber)) : first;
}

function follow<R extends object>(first: R | Pending<R>, subscriber: Subscriber<R>): void {
  let round: R | Pending<R> = first;
  while (isPending(round)) {
    const turn: Turn<R> = new Turn(round, subscriber);
    subscriber.add(turn);
    try {
      round.wait(turn);
    } catch (thrown) {
      // For an answer that cannot be awaited, such as one whose `then` throws when it is read.
      turn.error(thrown);
    }
    turn.synchronous = false;
    const next = turn.ended ? turn.goOn() : undefined;
    if (!next) return;
    round = next;
  }
  subscriber.next(round);
  subscriber.complete();
}

/** The wait for one stage's answer. */
class Turn<R extends object> extends LoggingSubscriber<unknown> {
  synchronous = true;
  ended = false;
  #count = 0;
  #answer: unknown = undefined;
  #failure: { readonly thrown: unknown } | undefined = undefined;
  readonly #round: Pending<R>;
  readonly #subscriber: Subscriber<R>;

  constructor(round: Pending<R>, subscriber: Subscriber<R>) {
    super(undefined);
    this.#round = round;
    this.#subscriber = subscriber;
  }

  goOn(): R | Pending<R> | undefined {
    try {
      return this.#failure ? this.#round.failed(this.#failure.thrown) : this.#round.goOn(this.#answer, this.#count);
    } catch (thrown) {
      this.#subscriber.error(thrown);
      return undefined;
    }
  }

  protected override _next(value: unknown): void {
    this.#count += 1;
    this.#answer = value;
    if (this.#count === 2) this.end();
  }

  protected override _error(thrown: unknown): void {
    this.#failure = { thrown };
    this.end();
  }

  protected override _complete(): void {
    this.end();
  }

  private end(): void {
    this.ended = true;
    // Unsubscribes before the next stage, also from a stage that is late or would emit more.
    this.unsubscribe();
    if (this.synchronous) return;
    const next = this.goOn();
    if (next) follow(next, this.#subscriber);
  }
}

function isPending<R extends object>(round: R | Pending<R>): round is Pending<R> {
  return 'goOn' in round;
}

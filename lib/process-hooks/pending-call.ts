import type { Subscriber, Unsubscribable } from 'rxjs';

/** Makes something of the result of a call. */
export type Read = (result: unknown) => unknown;

/** What is called, and how long its answer may take. */
export interface Question {
  readonly id: number;
  readonly method: string;
  readonly timeoutMs: number;
  /** What it is a part of, where its program was waited for before; people are told that. */
  readonly ofMs?: number;
}

/** A call that waits for its answer. A class for its weight: every step of an agent may be a call. */
export class PendingCall implements Unsubscribable {
  readonly question: Question;
  readonly subscriber: Subscriber<unknown>;
  /** When it is late, by the clock of `PendingCalls`. */
  due = 0;
  /** What its program had read of all that was sent. */
  readBefore = 0;
  readonly #read: Read | undefined;
  readonly #cancel: (id: number, reason: string) => void;

  constructor(
    question: Question,
    subscriber: Subscriber<unknown>,
    read: Read | undefined,
    cancel: (id: number, reason: string) => void,
  ) {
    this.question = question;
    this.subscriber = subscriber;
    this.#read = read;
    this.#cancel = cancel;
  }

  answer(result: unknown): void {
    let value: unknown;
    try {
      value = this.#read ? this.#read(result) : result;
    } catch (thrown) {
      this.subscriber.error(thrown);
      return;
    }
    this.subscriber.next(value);
    this.subscriber.complete();
  }

  /** Nobody waits any more, or need wait. */
  unsubscribe(): void {
    this.#cancel(this.question.id, 'cancelled');
  }
}

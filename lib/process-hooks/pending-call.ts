import type { Subscriber, Unsubscribable } from 'rxjs';

/** Converts the result of a call. */
export type Read = (result: unknown) => unknown;

/** The method, and the timeout of its answer. */
export interface Question {
  readonly id: number;
  readonly method: string;
  readonly timeoutMs: number;
  /** The whole timeout for messages, if part of it was spent waiting for the program. */
  readonly ofMs?: number;
}

/** A pending call. It is a class to save memory, because every step of an agent may be a call. */
export class PendingCall implements Unsubscribable {
  readonly question: Question;
  readonly subscriber: Subscriber<unknown>;
  /** Deadline by the clock of `PendingCalls`. */
  due = 0;
  /** Characters that its program had read when the call was sent. */
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

  unsubscribe(): void {
    this.#cancel(this.question.id, 'cancelled');
  }
}

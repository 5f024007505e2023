import type { Subscriber, Unsubscribable } from 'rxjs';

/** Makes something of the result of a call. */
export type Read = (result: unknown) => unknown;

/** A call that waits for its answer. A class for its weight: every step of an agent may be a call. */
export class PendingCall implements Unsubscribable {
  /** What bounds the wait. */
  timer: Unsubscribable | undefined = undefined;
  readonly subscriber: Subscriber<unknown>;
  readonly #id: number;
  readonly #read: Read | undefined;
  readonly #cancel: (id: number, reason: string) => void;

  constructor(
    id: number,
    subscriber: Subscriber<unknown>,
    read: Read | undefined,
    cancel: (id: number, reason: string) => void,
  ) {
    this.#id = id;
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
    this.timer?.unsubscribe();
    this.#cancel(this.#id, 'no longer wanted');
  }
}

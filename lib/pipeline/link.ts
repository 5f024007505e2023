import { Subscriber, type TeardownLogic } from 'rxjs';

/**
 * A subscriber that mostly has one thing to let go of, its source. RxJS begins a list for the first, with room for seventeen, and a run
 * that waits has a link of every kind.
 */
export abstract class Link<T> extends Subscriber<T> {
  #source: Exclude<TeardownLogic, void> | undefined = undefined;

  override add(teardown: TeardownLogic): void {
    if (!teardown || teardown === this) return;
    if (this.closed || this.#source !== undefined) {
      this.list();
      super.add(teardown);
    } else this.#source = teardown;
  }

  override remove(teardown: Exclude<TeardownLogic, void>): void {
    if (teardown === this.#source) this.#source = undefined;
    else super.remove(teardown);
  }

  override unsubscribe(): void {
    if (this.closed) return;
    this.list();
    super.unsubscribe();
  }

  /** To RxJS's own list, which lets go in the order of adding: whoever gave a source may count on that. */
  private list(): void {
    const source = this.#source;
    this.#source = undefined;
    if (source) super.add(source);
  }
}

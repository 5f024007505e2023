/** With fewer taken items, cutting the list is not worth its cost. */
const SMALL = 1_024;

/** A queue with constant cost per item. `shift` of a long array does not guarantee that. */
export class Fifo<T> {
  #items: T[] = [];
  #taken = 0;

  get length(): number {
    return this.#items.length - this.#taken;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  shift(): T | undefined {
    if (this.length === 0) return undefined;
    const item = this.#items[this.#taken];
    this.#items[this.#taken] = undefined as T;
    this.#taken += 1;
    if (this.#taken === this.#items.length) this.clear();
    else if (this.#taken >= SMALL && this.#taken * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#taken);
      this.#taken = 0;
    }
    return item;
  }

  clear(): void {
    this.#items = [];
    this.#taken = 0;
  }
}

/** What goes on until its signal aborts. */
export interface Signalling {
  readonly signal: AbortSignal;
}

/**
 * Has a signal that is made when it is first read. An own member, so that `{ ...context }` has it too; its getter is the same function
 * for all, since V8 makes a hidden class for every getter of its own, which costs more than all the rest of a call.
 */
export class LazySignal {
  declare readonly signal: AbortSignal;
  readonly #source: Signalling;

  static readonly #member: PropertyDescriptor & ThisType<LazySignal> = {
    enumerable: true,
    get() {
      return this.#source.signal;
    },
  };

  constructor(source: Signalling) {
    this.#source = source;
    Object.defineProperty(this, 'signal', LazySignal.#member);
  }
}

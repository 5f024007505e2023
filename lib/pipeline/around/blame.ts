import { isError } from '../../errors/describe-thrown.ts';
import { StepFailure } from '../run/step-failure.ts';
import type { StepScope } from '../run/step-scope.ts';

const firsts = new WeakMap<object, unknown>();

/** Marks `error` as `thrown` in other words: a wrapper that throws it instead passes the failure on, and is not to blame for it. */
export function retold<E extends Error>(error: E, thrown: unknown): E {
  firsts.set(error, thrown);
  return error;
}

/** Who is to blame for what a wrapped step fails with: the step itself or one of its wrappers. Whoever was blamed first stays so. */
export class Blame {
  readonly #step: StepScope;
  #failures: Map<unknown, StepFailure> | undefined = undefined;

  constructor(step: StepScope) {
    this.#step = step;
  }

  failureOf(thrown: unknown): StepFailure {
    return this.#failures?.get(thrown) ?? this.ownFailure(thrown);
  }

  /** Without a failure the step itself is to blame. */
  put(thrown: unknown, failure = this.ownFailure(thrown)): void {
    this.#failures ??= new Map();
    if (!this.#failures.has(thrown)) this.#failures.set(thrown, failure);
  }

  /** What a wrapper only words otherwise stays the failure of whoever threw it first. */
  isPut(thrown: unknown): boolean {
    if (typeof thrown === 'object' && thrown !== null && firsts.has(thrown)) {
      const known = this.#failures?.get(firsts.get(thrown));
      if (known) this.put(thrown, known.retold(`around.${this.#step.phase}`, thrown));
    }
    return this.#failures?.has(thrown) ?? false;
  }

  private ownFailure(thrown: unknown): StepFailure {
    if (isError(thrown, StepFailure)) return thrown;
    return new StepFailure(this.#step.phase === 'acting' ? 'tool' : 'model', thrown);
  }
}

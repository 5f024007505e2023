import { propertyOf } from '../errors/describe-thrown.ts';
import type { Run } from '../pipeline/run/run.ts';

/** The failure of a run. A failure of its model is not final: the host may send the request again, and must do so before the run ends. */
export class RunFailure {
  readonly #run: Run;
  #left: unknown;
  /** The last error of the model. Cleared by a successful request. */
  model: { readonly error: unknown } | undefined;

  constructor(run: Run) {
    this.#run = run;
  }

  /** The error that prevents the run from continuing. */
  get fatal(): unknown {
    const { fatal } = this.#run;
    return fatal === this.#left ? undefined : fatal;
  }

  /** Records that the model failed, and returns the error. */
  ofModel(): unknown {
    const error = this.#run.fatal;
    this.model = { error };
    this.#left = error;
    return error;
  }
}

/** Rejects with the model's original error, because the host recognizes its own errors. */
export async function asHost<T>(promise: Promise<T>): Promise<T> {
  try {
    return await promise;
  } catch (thrown) {
    const cause = propertyOf(thrown, 'code') === 'MODEL_FAILED' ? propertyOf(thrown, 'cause') : undefined;
    throw cause ?? thrown;
  }
}

import type { Run } from '../pipeline/run/run.ts';

/** What a run has failed of. A failure of its model is not the end: the host may ask again, and has to before the run ends. */
export class RunFailure {
  readonly #run: Run;
  #left: unknown;
  /** What the model has failed of, until it is asked again with success. */
  model: { readonly error: unknown } | undefined;

  constructor(run: Run) {
    this.#run = run;
  }

  /** Why the run cannot go on. */
  get fatal(): unknown {
    const { fatal } = this.#run;
    return fatal === this.#left ? undefined : fatal;
  }

  /** The model has failed, and gives what of. */
  ofModel(): unknown {
    const error = this.#run.fatal;
    this.model = { error };
    this.#left = error;
    return error;
  }
}

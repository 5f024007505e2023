import { HooklineError } from '../errors.ts';
import type { Abort } from '../events/decisions/decision.ts';

/** A hook has ended the run of a loop that is not ours: what the wrapped call rejects with. `decision` says who, why, and whether to roll back. */
export class RunAborted extends HooklineError {
  override readonly name = 'RunAborted';
  readonly decision: Abort;

  constructor(decision: Abort) {
    super('RUN_ABORTED', `Hook "${decision.by}" ended the run: ${decision.reason}`);
    this.decision = decision;
  }

  /** Also one of another copy of this package. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof HooklineError && value.code === 'RUN_ABORTED' && 'decision' in value;
  }
}

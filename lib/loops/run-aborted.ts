import { HooklineError } from '../errors.ts';
import type { Abort } from '../events/decisions/decision.ts';

/** A hook has ended the run of a loop that is not ours: what the wrapped call rejects with. `decision` says who, why, and whether to roll back. */
export class RunAborted extends HooklineError {
  readonly decision: Abort;

  constructor(decision: Abort) {
    super('RUN_ABORTED', `Hook "${decision.by}" ended the run: ${decision.reason}`);
    this.decision = decision;
  }
}

import { HooklineError } from '../errors.ts';
import type { Abort } from '../events/decisions/decision.ts';

/** Thrown by wrapped calls if a hook aborts the run of a framework's loop. `decision` has the hook, the reason, and whether to roll back. */
export class RunAborted extends HooklineError {
  override readonly name = 'RunAborted';
  readonly decision: Abort;

  constructor(decision: Abort) {
    super('RUN_ABORTED', `Hook "${decision.by}" ended the run: ${decision.reason}`);
    this.decision = decision;
  }

  /** Also matches errors of another copy of this package. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof HooklineError && value.code === 'RUN_ABORTED' && 'decision' in value;
  }
}

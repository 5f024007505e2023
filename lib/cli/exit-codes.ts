import type { CallOutcome } from '../events/parts/call-outcome.ts';

/** Exit code of a run by its outcome. A cancelled run has the exit code of its cause. */
export const exitCodes: Readonly<Record<CallOutcome, number>> = {
  completed: 0,
  responded: 0,
  finished: 0,
  failed: 1,
  cancelled: 1,
  aborted: 3,
  suspended: 4,
  exhausted: 5,
};

import type { Approval } from './approval.ts';
import type { GivenAnswer } from './suspended-run.ts';

export type AnswerOutcome =
  /** The answer is stored. Other calls of the run are still pending. */
  | { readonly status: 'recorded'; readonly runId: string; readonly waiting: number }
  /** Another run resumes this run. */
  | { readonly status: 'resumed'; readonly runId: string; readonly resumedBy: string }
  /** The call was pending in an active run, which continues. */
  | { readonly status: 'continued'; readonly runId: string }
  /** The call was already answered. */
  | { readonly status: 'answered'; readonly winner: Pick<GivenAnswer, 'action' | 'by' | 'expired' | 'at' | 'reason'> }
  /** The call has changed since the answer was made. */
  | { readonly status: 'changed'; readonly current: Approval };

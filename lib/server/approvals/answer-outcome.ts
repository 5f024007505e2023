import type { Approval } from './approval.ts';
import type { GivenAnswer } from './suspended-run.ts';

/** What has come of an answer. */
export type AnswerOutcome =
  /** Kept; other calls of the run still wait. */
  | { readonly status: 'recorded'; readonly runId: string; readonly waiting: number }
  /** The run goes on as another one. */
  | { readonly status: 'resumed'; readonly runId: string; readonly resumedBy: string }
  /** Its run waited inside, and goes on itself. */
  | { readonly status: 'continued'; readonly runId: string }
  /** Somebody was faster. */
  | { readonly status: 'answered'; readonly winner: Pick<GivenAnswer, 'action' | 'by' | 'expired' | 'at' | 'reason'> }
  /** The call is another one than the answer is for. */
  | { readonly status: 'changed'; readonly current: Approval };

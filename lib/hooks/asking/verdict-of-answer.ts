import { APPROVED_WHEN_ASKED, type Verdict } from '../../pipeline/define/hook.ts';
import type { Outcome } from './put-question.ts';

/** Converts the outcome of a question to a verdict; `why` is the reason for the question. */
export function verdictOfAnswer({ note, ...asked }: Outcome, why: string): Verdict {
  const noted = note && { note };
  if (asked.approved)
    return { verdict: 'approved', reason: APPROVED_WHEN_ASKED, ...noted, ...(asked.input && { input: asked.input }) };
  return { verdict: 'denied', reason: `${why}, and ${asked.reason}.`, ...noted, asked: true };
}

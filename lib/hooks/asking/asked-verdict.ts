import type { Verdict } from '../../pipeline/define/hook.ts';
import type { Asked } from './put-question.ts';

/** What an approver says after a question; `why` says why it was put. */
export function askedVerdict({ note, ...asked }: Asked, why: string): Verdict {
  const said = note && { note };
  if (asked.approved) return { verdict: 'approved', ...said, ...(asked.input && { input: asked.input }) };
  return { verdict: 'denied', reason: `${why}, and ${asked.reason}.`, ...said };
}

import type { SettledEvent } from '../../../events/hook-event.ts';
import type { TraceStep } from '../../../pipeline/define/hook.ts';

/** The outcomes of an event, in ascending importance. */
export const marks = ['passed', 'changed', 'decided', 'waiting', 'refused', 'failed'] as const;

/** The outcome of an event, which determines its marble. */
export type Mark = (typeof marks)[number];

const ofDecision: Readonly<Record<string, Mark>> = {
  respond: 'decided',
  retry: 'decided',
  finish: 'decided',
  suspend: 'waiting',
  deny: 'refused',
  abort: 'refused',
};
const ofOutcome: Readonly<Record<string, Mark>> = {
  denied: 'refused',
  aborted: 'refused',
  failed: 'failed',
  suspended: 'waiting',
};

/** Returns the most important outcome of an event: its place in `marks`. */
export function markOf(event: SettledEvent, steps: readonly TraceStep[]): number {
  if (event.type === 'error') return marks.indexOf('failed');
  let most = 0;
  const note = (mark: Mark | undefined): void => {
    if (mark) most = Math.max(most, marks.indexOf(mark));
  };
  if (event.decision) note(ofDecision[event.decision.action]);
  if (event.type === 'postActing' || event.type === 'postCall') note(ofOutcome[event.outcome]);
  // For joined chunks, only the notes of hooks are kept.
  if (event.notes && (event.type === 'reasoningChunk' || event.type === 'actingChunk')) note('changed');
  for (const { effect } of steps) {
    if (effect === 'changed') note('changed');
    else if (effect === 'failed') note('failed');
  }
  return most;
}

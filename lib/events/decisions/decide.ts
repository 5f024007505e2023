import { HooklineError } from '../../errors.ts';
import type { HookEvent } from '../hook-event.ts';
import type { DecisionAction } from './decision.ts';
import { rememberDecision } from './decisions-taken.ts';
import { eventRules } from './event-rules.ts';

/** `E` if it is one of `Legal`. Otherwise a sentence, which the compiler shows instead of a field comparison. */
export type Deciding<E extends HookEvent, Legal extends HookEvent, A extends DecisionAction> = [E] extends [Legal]
  ? E
  : `the handlers of ${E['type']} cannot decide "${A}"`;

/** Returns a copy of `event` with `decision`, if its type allows the action. All decision helpers use it. */
export function decide<E extends HookEvent>(event: E, decision: { action: DecisionAction }): E {
  const allowed: readonly DecisionAction[] | undefined = eventRules[event?.type]?.decisions;
  if (!allowed) {
    throw new HooklineError(
      'DECISION_ILLEGAL',
      `${decision.action}(): the first argument must be the event that the handler got.`,
    );
  }
  if (!allowed.includes(decision.action)) {
    const may = allowed.length ? allowed.join(', ') : 'nothing';
    throw new HooklineError(
      'DECISION_ILLEGAL',
      `${decision.action}(): a ${event.type} event cannot be answered with "${decision.action}"; its handlers may decide: ${may}.`,
    );
  }
  return rememberDecision(event, { ...event, decision } as E);
}

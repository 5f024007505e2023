import { HooklineError } from '../../errors.ts';
import type { HookEvent } from '../hook-event.ts';
import type { DecisionAction } from './decision.ts';
import { rememberDecision } from './decisions-taken.ts';
import { eventRules } from './event-rules.ts';

/** `E` where it is one of `Legal`; otherwise a sentence, which the compiler shows in place of the fields that two events differ in. */
export type Deciding<E extends HookEvent, Legal extends HookEvent, A extends DecisionAction> = [E] extends [Legal]
  ? E
  : `the handlers of ${E['type']} cannot decide "${A}"`;

/** A copy of `event` that carries `decision`, after checking that its type allows the action. The shared half of all decision helpers. */
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

import { checkFields } from '../../errors/check-fields.ts';
import { HooklineError } from '../../errors.ts';
import type { HookEvent, SettledEvent } from '../hook-event.ts';
import { type Deciding, decide } from './decide.ts';
import type { EventDeciding } from './event-rules.ts';

/** Ends the run as `aborted` with `reason`. With `rollback`, the transcript is restored to its state before the call. */
export function abort<E extends HookEvent>(
  event: Deciding<E, EventDeciding<'abort'>, 'abort'>,
  reason: string,
  options?: { rollback?: boolean },
): E {
  if (typeof reason !== 'string') {
    throw new HooklineError('DECISION_ILLEGAL', 'abort(): the second argument must be the reason, a string.');
  }
  if (options !== undefined) assertOptions(options);
  return decide(
    event as E,
    { action: 'abort', reason, ...(options?.rollback && { rollback: true }) } as {
      action: 'abort';
    },
  );
}

function assertOptions(options: { rollback?: unknown }): void {
  const issue = checkFields(options, ['rollback']);
  if (issue !== undefined)
    throw new HooklineError('DECISION_ILLEGAL', `abort(): the third argument, its options, ${issue}.`);
  if (options.rollback !== undefined && typeof options.rollback !== 'boolean')
    throw new HooklineError('DECISION_ILLEGAL', 'abort(): rollback must be true or false.');
}

/** Returns whether a hook ended the run here and rolled it back. The transcript is then as before the call, and UIs remove the output. */
export function rollsBack({ decision }: SettledEvent): boolean {
  return decision?.action === 'abort' && decision.rollback === true;
}

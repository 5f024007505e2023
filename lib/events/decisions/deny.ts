import { HooklineError } from '../../errors.ts';
import type { HookEvent } from '../hook-event.ts';
import type { PreActing } from '../pre-acting.ts';
import { type Deciding, decide } from './decide.ts';

/** Denies a tool call. The model receives `reason`. A policy that must see the final call belongs in `approve`. */
export function deny<E extends HookEvent>(event: Deciding<E, PreActing, 'deny'>, reason: string): E {
  if (typeof reason !== 'string') {
    throw new HooklineError('DECISION_ILLEGAL', 'deny(): the second argument must be the reason, a string.');
  }
  return decide(event as E, { action: 'deny', reason } as { action: 'deny' });
}

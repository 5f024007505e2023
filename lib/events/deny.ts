import { HooklineError } from '../errors.ts';
import { decide } from './decide.ts';
import type { PreActing } from './pre-acting.ts';

/** Refuses a tool call; the model is told `reason`. Policy that must see the final call belongs in `approve`. */
export function deny<E extends PreActing>(event: E, reason: string): E {
  if (typeof reason !== 'string') {
    throw new HooklineError('DECISION_ILLEGAL', 'deny(): the second argument must be the reason, a string.');
  }
  return decide(event, { action: 'deny', reason } as { action: 'deny' });
}

import type { HookEvent } from '../hook-event.ts';
import { type Deciding, decide } from './decide.ts';
import type { EventDeciding } from './event-rules.ts';

/** Chunks: stop the model or tool and keep what came. postReasoning: end without acting. postActing: end after this batch. */
export function finish<E extends HookEvent>(event: Deciding<E, EventDeciding<'finish'>, 'finish'>): E {
  return decide(event as E, { action: 'finish' });
}

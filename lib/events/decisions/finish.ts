import type { HookEvent } from '../hook-event.ts';
import { type Deciding, decide } from './decide.ts';
import type { EventDeciding } from './event-rules.ts';

/**
 * Chunks: stops the model or tool and keeps the output so far. postReasoning: ends the run without tool calls. postActing: ends the run after this
 * batch.
 */
export function finish<E extends HookEvent>(event: Deciding<E, EventDeciding<'finish'>, 'finish'>): E {
  return decide(event as E, { action: 'finish' });
}

import { decide } from './decide.ts';
import type { EventDeciding } from './legal.ts';

/** Chunks: stop the model or tool and keep what came. postReasoning: end without acting. postActing: end after this batch. */
export function finish<E extends EventDeciding<'finish'>>(event: E): E {
  return decide(event, { action: 'finish' });
}

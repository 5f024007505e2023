import type { Message } from '../../events/parts/message.ts';
import { closeOrphans } from './close-orphans.ts';

/** Messages that come from outside, as they are remembered: calls in them have been run by no loop, so each open one is closed. */
export function withResults(messages: readonly Message[] = []): readonly Message[] {
  return closeOrphans(messages, 'The message came with this call and without a result; the call was not run.');
}

import type { Message } from '../../events/parts/message.ts';
import { closeOrphans } from './close-orphans.ts';

/** Returns messages from outside for the conversation. No loop ran their calls, so each open call is closed. */
export function withResults(messages: readonly Message[] = []): readonly Message[] {
  return closeOrphans(messages, 'The message contained this call without a result; the call did not run.');
}

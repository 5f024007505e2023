import type { ActingError, ReasoningError } from '../error-event.ts';
import type { HookEvent } from '../hook-event.ts';
import type { MessageInput } from '../parts/message.ts';
import { toMessage } from '../parts/messages.ts';
import type { PostReasoning } from '../post-reasoning.ts';
import { type Deciding, decide } from './decide.ts';

/**
 * On postReasoning: runs another model step. The message stays, followed by `messages` (a string is a user message). On an error event: repeats the
 * failed step. The number of retries per run is limited. Beyond it, the decision has no effect.
 */
export function retry<E extends HookEvent>(
  event: Deciding<E, PostReasoning | ReasoningError | ActingError, 'retry'>,
  ...[messages]: [E] extends [PostReasoning] ? [messages?: readonly MessageInput[] | MessageInput] : []
): E {
  if (messages === undefined) return decide(event as E, { action: 'retry' });
  const list = Array.isArray(messages) ? (messages as readonly MessageInput[]) : [messages as MessageInput];
  return decide(
    event as E,
    { action: 'retry', messages: list.map((message) => toMessage(message, 'user')) } as {
      action: 'retry';
    },
  );
}

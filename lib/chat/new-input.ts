import type { Message } from '../events/parts/message.ts';
import { toolCallsOf } from '../events/parts/messages.ts';
import type { ChatRequest } from './chat-request.ts';

/** The message that a request brings: the last one, if it is the user's. */
export function newMessage({ messages }: Pick<ChatRequest, 'messages'>): Message | undefined {
  const last = messages.at(-1);
  return last?.role === 'user' ? last : undefined;
}

/** The new message of a request that answers calls: it has been said after them. */
export function messageAfter(request: ChatRequest, callIds: ReadonlySet<string>): Message | undefined {
  const asked = request.messages.some((message) => toolCallsOf(message).some(({ id }) => callIds.has(id)));
  return asked ? newMessage(request) : undefined;
}

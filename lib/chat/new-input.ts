import type { Message } from '../events/parts/message.ts';
import { toolCallsOf } from '../events/parts/messages.ts';
import type { ChatRequest } from './chat-request.ts';

/** Returns the new message of a request: the last one, if it has the user role. */
export function newMessage({ messages }: Pick<ChatRequest, 'messages'>): Message | undefined {
  const last = messages.at(-1);
  return last?.role === 'user' ? last : undefined;
}

/** Returns the new message of a request that answers calls. It follows the answers. */
export function messageAfter(request: ChatRequest, callIds: ReadonlySet<string>): Message | undefined {
  const asked = request.messages.some((message) => toolCallsOf(message).some(({ id }) => callIds.has(id)));
  return asked ? newMessage(request) : undefined;
}

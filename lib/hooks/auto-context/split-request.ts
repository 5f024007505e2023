import type { Message } from '../../events/parts/message.ts';
import { isPrompt } from '../../events/parts/messages.ts';
import { commonLength } from './running-sum.ts';

/** A request and its conversation: all messages but system messages and those injected for this request only. */
export interface SplitRequest {
  readonly messages: readonly Message[];
  /** The number of initial messages in common with the previous request. */
  readonly same: number;
  /** The conversation, in order. */
  readonly conversation: readonly Message[];
  /** The messages that are always kept. */
  readonly others: readonly Message[];
  /** The indexes in `conversation` of the first and last user messages; -1 for none. */
  readonly firstUser: number;
  readonly lastUser: number;
}

/**
 * Splits the requests of a run in order. If a request begins like the previous one, only the rest is processed. `transcript` is called only if hooks
 * have injected messages.
 */
export function requestSplitter(): (
  messages: readonly Message[],
  transcript: () => readonly Message[],
) => SplitRequest {
  const conversation: Message[] = [];
  const others: Message[] = [];
  /** For each message, the number of conversation messages before it. */
  const before: number[] = [];
  let seen: readonly Message[] = [];
  return (messages, transcript) => {
    const same = commonLength(seen, messages);
    if (same < seen.length) conversation.length = before[same] as number;
    others.length = same - conversation.length;
    let remembered: Set<Message> | undefined;
    for (let at = same; at < messages.length; at++) {
      const message = messages[at] as Message;
      before[at] = conversation.length;
      if (message.origin !== undefined) remembered ??= new Set(transcript());
      const isConversation = message.role !== 'system' && (message.origin === undefined || remembered?.has(message));
      (isConversation ? conversation : others).push(message);
    }
    seen = messages;
    return {
      messages,
      same,
      conversation,
      others,
      firstUser: conversation.findIndex(isUser),
      lastUser: lastOf(conversation),
    };
  };
}

function isUser(message: Message): boolean {
  return isPrompt(message) && !message.parts.some(({ type }) => type === 'toolResult');
}

function lastOf(conversation: readonly Message[]): number {
  let at = conversation.length - 1;
  while (at >= 0 && !isUser(conversation[at] as Message)) at -= 1;
  return at;
}

/** Returns the indexes, ascending, at which a conversation can be cut without separating a call from its result. The last index is its end. */
export function cutPlaces(conversation: readonly Message[]): readonly number[] {
  const answered = new Set(conversation.flatMap(({ parts }) => parts.flatMap((part) => resultId(part))));
  const open = new Set<string>();
  const places: number[] = [];
  for (const [at, { parts }] of conversation.entries()) {
    if (open.size === 0) places.push(at);
    for (const part of parts) {
      if (part.type === 'toolCall' && answered.has(part.toolCall.id)) open.add(part.toolCall.id);
      for (const id of resultId(part)) open.delete(id);
    }
  }
  return [...places, conversation.length];
}

function resultId(part: Message['parts'][number]): readonly string[] {
  return part.type === 'toolResult' ? [part.toolCallId] : [];
}

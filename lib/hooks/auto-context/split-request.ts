import type { Message } from '../../events/parts/message.ts';
import { commonLength } from './running-sum.ts';

/** A request and its conversation: all messages but system messages and those injected for this request only. */
export interface SplitRequest {
  readonly messages: readonly Message[];
  /** The number of initial messages in common with the previous request. */
  readonly same: number;
  /** The conversation, in order. */
  readonly talk: readonly Message[];
  /** The messages that are always kept. */
  readonly others: readonly Message[];
  /** The indexes in `talk` of the first and last user messages; -1 for none. */
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
  const talk: Message[] = [];
  const others: Message[] = [];
  /** For each message, the number of conversation messages before it. */
  const before: number[] = [];
  let seen: readonly Message[] = [];
  return (messages, transcript) => {
    const same = commonLength(seen, messages);
    if (same < seen.length) talk.length = before[same] as number;
    others.length = same - talk.length;
    let remembered: Set<Message> | undefined;
    for (let at = same; at < messages.length; at++) {
      const message = messages[at] as Message;
      before[at] = talk.length;
      if (message.origin !== undefined) remembered ??= new Set(transcript());
      const isTalk = message.role !== 'system' && (message.origin === undefined || remembered?.has(message));
      (isTalk ? talk : others).push(message);
    }
    seen = messages;
    return { messages, same, talk, others, firstUser: talk.findIndex(isUser), lastUser: lastOf(talk) };
  };
}

function isUser({ role, origin, parts }: Message): boolean {
  return role === 'user' && origin === undefined && !parts.some(({ type }) => type === 'toolResult');
}

function lastOf(talk: readonly Message[]): number {
  let at = talk.length - 1;
  while (at >= 0 && !isUser(talk[at] as Message)) at -= 1;
  return at;
}

/** Returns the indexes, ascending, at which a conversation can be cut without separating a call from its result. The last index is its end. */
export function cutPlaces(talk: readonly Message[]): readonly number[] {
  const answered = new Set(talk.flatMap(({ parts }) => parts.flatMap((part) => resultId(part))));
  const open = new Set<string>();
  const places: number[] = [];
  for (const [at, { parts }] of talk.entries()) {
    if (open.size === 0) places.push(at);
    for (const part of parts) {
      if (part.type === 'toolCall' && answered.has(part.toolCall.id)) open.add(part.toolCall.id);
      for (const id of resultId(part)) open.delete(id);
    }
  }
  return [...places, talk.length];
}

function resultId(part: Message['parts'][number]): readonly string[] {
  return part.type === 'toolResult' ? [part.toolCallId] : [];
}

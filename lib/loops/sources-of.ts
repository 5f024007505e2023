import type { Message, MessagePart } from '../events/parts/message.ts';

/**
 * Which of the messages `before` a hook has made those of `settled` from, as far as that can be told; hooks in other processes give copies of all.
 * A changed message keeps a part, or the id of a call. One that keeps none takes the place of one of its role, where between the same neighbours
 * as many of that role are gone as have come.
 */
export function sourcesOf(before: readonly Message[], settled: readonly Message[]): ReadonlyMap<Message, Message> {
  const places = new Map(before.map((message, at) => [message, at]));
  const left = new Set(before);
  const sources = new Map<Message, Message>();
  const take = (message: Message, one: Message | undefined): void => {
    if (!one) return;
    sources.set(message, one);
    left.delete(one);
  };
  for (const message of settled) if (places.has(message)) take(message, message);
  for (const message of settled) {
    if (!sources.has(message))
      take(
        message,
        firstOf(left, (one) => isAkin(one, message)),
      );
  }
  let [after, open]: [number, Message[]] = [-1, []];
  const close = (at: number): void => {
    const gone = before.slice(after + 1, at).filter((message) => left.has(message));
    for (const role of new Set(open.map((message) => message.role))) {
      const [mine, theirs] = [open, gone].map((some) => some.filter((message) => message.role === role));
      if (mine?.length === theirs?.length)
        for (const [index, message] of mine?.entries() ?? []) take(message, theirs?.[index]);
    }
    [after, open] = [at, []];
  };
  for (const message of settled) {
    const place = places.get(sources.get(message) as Message);
    if (place !== undefined && place > after) close(place);
    else if (place === undefined && message.origin === undefined) open.push(message);
  }
  close(before.length);
  return sources;
}

function firstOf<T>(some: Iterable<T>, test: (one: T) => boolean): T | undefined {
  for (const one of some) if (test(one)) return one;
  return undefined;
}

function isAkin(one: Message, other: Message): boolean {
  return (
    one.role === other.role &&
    other.parts.some((part) =>
      one.parts.some(
        (known) => samePart(known, part) || (callOf(part) !== undefined && callOf(known) === callOf(part)),
      ),
    )
  );
}

/** The id of the call that a part is, or whose result it is. */
export function callOf(part: MessagePart): string | undefined {
  if (part.type === 'toolCall') return part.toolCall.id;
  return part.type === 'toolResult' ? part.toolCallId : undefined;
}

/** Whether two parts say the same: hooks in other processes give copies. */
export function samePart(one: MessagePart, other: MessagePart): boolean {
  return one === other || (one.type === other.type && textOf(one) === textOf(other));
}

/** Each is compared with every part of a history, and never changes. */
const texts = new WeakMap<MessagePart, string>();

function textOf(part: MessagePart): string {
  const text = texts.get(part) ?? JSON.stringify(part);
  texts.set(part, text);
  return text;
}

import type { Message, MessagePart } from '../events/parts/message.ts';

/**
 * Maps messages of `settled` to the messages of `before` that a hook made them from, as far as that is certain. Hooks in other processes return
 * copies. Copies are identified by their content, and changed messages by a part or call id that no other message has. A message that keeps neither
 * replaces one of its role. This holds if one message was removed and one added between the same neighbours, or as many with alternating roles. Data
 * of a message that hooks do not see follows this map.
 */
export function sourcesOf(before: readonly Message[], settled: readonly Message[]): ReadonlyMap<Message, Message> {
  const places = new Map(before.map((message, at) => [message, at]));
  const sources = new Map(settled.flatMap((message) => (places.has(message) ? [[message, message]] : [])));
  const gone = new Set(before.filter((message) => !sources.has(message)));
  const take = (message: Message, source: Message): void => {
    sources.set(message, source);
    gone.delete(source);
  };

  const come = (): Message[] => settled.filter((message) => !sources.has(message));
  const [wholes, copies] = [gone, come()].map((some) => groups(some, (message) => [wholeOf(message)]));
  for (const [whole, same] of copies ?? []) {
    const originals = wholes?.get(whole) ?? [];
    if (originals.length === same.length)
      for (const [at, message] of same.entries()) take(message, originals[at] as Message);
  }

  // If no message changed, there is nothing more to compare.
  if (come().length === 0) return sources;
  const [groupsBefore, groupsAfter] = [before, settled].map((some) => groups(some, marksOf));
  for (const message of come()) {
    const marks = marksOf(message).filter((mark) => groupsAfter?.get(mark)?.length === 1);
    const akin = new Set(
      marks.map((mark) => groupsBefore?.get(mark)).flatMap((some) => (some?.length === 1 ? some : [])),
    );
    const [source] = akin;
    if (akin.size === 1 && source && gone.has(source)) take(message, source);
  }

  let [last, open]: [number, Message[]] = [-1, []];
  const close = (at: number): void => {
    const left = before.slice(last + 1, at).filter((message) => gone.has(message));
    for (const [message, source] of pairsOf(open, left)) take(message, source);
    [last, open] = [at, []];
  };
  for (const message of settled) {
    const place = places.get(sources.get(message) as Message);
    if (place !== undefined && place > last) close(place);
    else if (place === undefined && message.origin === undefined) open.push(message);
  }
  close(before.length);
  return sources;
}

/**
 * Pairs added messages with removed ones: all in order if their roles match, otherwise the only one of its role. Returns no pairs if they changed
 * places.
 */
function pairsOf(come: readonly Message[], gone: readonly Message[]): readonly (readonly [Message, Message])[] {
  // With two consecutive messages of a role, one may have been inserted.
  const isEach =
    come.length === gone.length && come.every(({ role }, at) => role === gone[at]?.role && role !== come[at - 1]?.role);
  if (isEach) return come.map((message, at) => [message, gone[at] as Message]);
  const [ours, theirs] = [come, gone].map((some) => groups(some, ({ role }) => [role]));
  const only = [...(ours ?? [])].flatMap(([role, [message, another]]) => {
    const [source, other] = theirs?.get(role) ?? [];
    return message && source && !another && !other ? [[message, source] as const] : [];
  });
  const order = only.map(([, source]) => gone.indexOf(source));
  return order.every((place, at) => place > (order[at - 1] ?? -1)) ? only : [];
}

function groups(
  messages: Iterable<Message>,
  keysOf: (message: Message) => readonly string[],
): ReadonlyMap<string, readonly Message[]> {
  const found = new Map<string, Message[]>();
  for (const message of messages)
    for (const key of new Set(keysOf(message))) {
      const some = found.get(key);
      if (some) some.push(message);
      else found.set(key, [message]);
    }
  return found;
}

function wholeOf({ role, parts }: Message): string {
  return `${role}: ${parts.map(textOf).join()}`;
}

/** Returns the keys that identify a message: its parts with content, and its call ids. */
function marksOf({ role, parts }: Message): readonly string[] {
  const withContent = parts.filter((part) => !('text' in part && part.text === ''));
  const ids = parts.map(callOf).filter((id) => id !== undefined);
  return [...withContent.map((part) => `${role}: ${textOf(part)}`), ...ids.map((id) => `${role} ${id}`)];
}

/** Returns the id of the call in a part, or of the call whose result it is. */
export function callOf(part: MessagePart): string | undefined {
  if (part.type === 'toolCall') return part.toolCall.id;
  return part.type === 'toolResult' ? part.toolCallId : undefined;
}

/** Returns true if two parts have the same content. Hooks in other processes return copies. */
export function samePart(one: MessagePart, other: MessagePart): boolean {
  return one === other || (one.type === other.type && textOf(one) === textOf(other));
}

/** A cache: each part is compared with every part of a history, and never changes. */
const texts = new WeakMap<MessagePart, string>();

function textOf(part: MessagePart): string {
  const text = texts.get(part) ?? JSON.stringify(part);
  texts.set(part, text);
  return text;
}

import type { HookEvent } from '../../events/hook-event.ts';
import type { Message, MessagePart } from '../../events/parts/message.ts';
import { toolCallsOf } from '../../events/parts/messages.ts';

/** Returns why the tool calls in a hook's message for `event` could not each get one result, or undefined if they can. */
export function checkToolCalls(event: HookEvent, message: Message): string | undefined {
  if (event.type === 'postCall') {
    if (sameCalls(message, event.message)) return undefined;
    return 'the message must keep the same calls: they have their results, and new ones would never be run.';
  }
  const calls = toolCallsOf(message);
  if (calls.length === 0) return undefined;
  if (event.type === 'preCall' || (event.type === 'error' && event.phase === 'call')) {
    return 'its answer ends the run, so it can have no calls. To have calls run, respond to preReasoning, or add them to the message at postReasoning.';
  }
  if (event.type === 'postReasoning' && event.purpose === 'summary') {
    return 'a summary is without tools, so its message can have no calls. Look at event.purpose.';
  }
  const ids = calls.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  return twice === undefined
    ? undefined
    : `the message has two tool calls of the id ${JSON.stringify(twice)}. Give each an id of its own.`;
}

/** The fields that results refer to. An input may have been redacted. */
function sameCalls(a: Message, b: Message | undefined): boolean {
  const known = b ? toolCallsOf(b) : [];
  const given = toolCallsOf(a);
  return (
    given.length === known.length &&
    given.every(({ id, name }, index) => id === known[index]?.id && name === known[index]?.name)
  );
}

/**
 * Returns a hook's message without the provider data of changed texts. Log probabilities and signed thoughts may repeat what the hook
 * removed.
 */
export function withoutStaleMetadata(before: Message | undefined, after: Message): Message {
  const marked = before?.parts.filter(isText).filter(({ metadata }) => metadata !== undefined) ?? [];
  if (marked.length === 0) return after;
  const isStale = (part: MessagePart): boolean => {
    if (!isText(part) || part.metadata === undefined) return false;
    const metadata = JSON.stringify(part.metadata);
    const of = marked.filter((one) => one.type === part.type && JSON.stringify(one.metadata) === metadata);
    return of.length > 0 && of.every(({ text }) => text !== part.text);
  };
  if (!after.parts.some(isStale)) return after;
  const parts = after.parts.map((part) => {
    if (!isStale(part)) return part;
    const { metadata: _, ...rest } = part as TextPart;
    return rest;
  });
  return { ...after, parts };
}

type TextPart = Extract<MessagePart, { type: 'text' | 'thinking' }>;

function isText(part: MessagePart): part is TextPart {
  return part.type === 'text' || part.type === 'thinking';
}

/**
 * Marks the messages that a hook injected with its name: new messages that do not replace a message of the same role. A message with an
 * origin is left unchanged.
 */
export function stampOrigin(hook: string, before: readonly Message[], after: readonly Message[]): readonly Message[] {
  if (isPart(before, after)) return after;
  const kept = new Set(after);
  const replaced = before.filter((message) => !kept.has(message)).map(({ role }) => role);
  const known = new Set(before);
  return after.map((message) => {
    if (known.has(message) || message.origin !== undefined) return message;
    const place = replaced.indexOf(message.role);
    if (place < 0) return { ...message, origin: hook };
    replaced.splice(place, 1);
    return message;
  });
}

/** Returns whether all messages without an origin are in the list before, in its order. Most hooks keep that, and a conversation is long. */
function isPart(before: readonly Message[], after: readonly Message[]): boolean {
  let at = 0;
  for (const message of after) {
    if (message.origin !== undefined && message !== before[at]) continue;
    while (at < before.length && before[at] !== message) at += 1;
    if (at === before.length) return false;
    at += 1;
  }
  return true;
}

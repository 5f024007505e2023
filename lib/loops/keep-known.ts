import type { Message, MessagePart } from '../events/parts/message.ts';
import type { ToolDescription } from '../events/parts/tool-description.ts';
import { jsonObject } from './json-object.ts';

/** Receives the host's values of one step. Returns the objects of the previous step for unchanged values. */
export type KeepKnown<T> = (given: readonly T[]) => readonly T[];

/**
 * Reuses unchanged messages from step to step. Hosts pass their whole history each time, and the engine recognizes objects that it has frozen.
 * Messages are compared by content, because hosts may change them in place. New messages are copied, because inputs and metadata may be the host's
 * own objects.
 */
export function keepMessages(): KeepKnown<Message> {
  return keepKnown(ownMessage);
}

/** Reuses unchanged tool descriptions. Their schemas may be the host's own objects. */
export function keepTools(): KeepKnown<ToolDescription> {
  return keepKnown((tool) => ({ ...tool, inputSchema: jsonObject(tool.inputSchema) }));
}

/** Returns a message that shares no data with its host, so that the engine may freeze it. */
export function ownMessage({ role, parts }: Message): Message {
  return { role, parts: parts.map(ownPart) };
}

function ownPart(part: MessagePart): MessagePart {
  if (part.type === 'toolResult') return part;
  const metadata = part.metadata !== undefined && { metadata: jsonObject(part.metadata) };
  if (part.type !== 'toolCall') return { ...part, ...metadata };
  return { ...part, toolCall: { ...part.toolCall, input: jsonObject(part.toolCall.input) }, ...metadata };
}

function keepKnown<T extends object>(own: (given: T) => T): KeepKnown<T> {
  let known: readonly T[] = [];
  return (given) => {
    known = given.map((one, at) => {
      const before = known[at];
      return before && isSameData(before, one) ? before : own(one);
    });
    return known;
  };
}

/** Returns true if `given` serializes to the JSON value `known`. Values that JSON changes, such as dates, count as different. */
function isSameData(known: unknown, given: unknown): boolean {
  if (known === given) return true;
  if (typeof known !== 'object' || typeof given !== 'object' || known === null || given === null) return false;
  if (Array.isArray(known) !== Array.isArray(given) || 'toJSON' in given) return false;
  if (Array.isArray(given)) return hasSame(known as readonly unknown[], given);
  let more = 0;
  for (const key in given) {
    const field = (given as Fields)[key];
    if (field === undefined) continue;
    if (!Object.hasOwn(known, key) || !isSameData((known as Fields)[key], field)) return false;
    more += 1;
  }
  for (const _ in known) more -= 1;
  return more === 0;
}

function hasSame(known: readonly unknown[], given: readonly unknown[]): boolean {
  if (known.length !== given.length) return false;
  // By index, because it runs for each part of a conversation on each step.
  for (let at = 0; at < known.length; at++) if (!isSameData(known[at], given[at])) return false;
  return true;
}

type Fields = Readonly<Record<string, unknown>>;

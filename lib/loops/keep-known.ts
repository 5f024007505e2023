import type { Message, MessagePart } from '../events/parts/message.ts';
import type { ToolDescription } from '../events/parts/tool-description.ts';
import { jsonObject } from './json-object.ts';

/** Takes what a host says on one step, and gives the objects of the step before for what has stayed the same. */
export type KeepKnown<T> = (given: readonly T[]) => readonly T[];

/**
 * Keeps messages from step to step: hosts say their whole history again each time, and the engine knows again what it has frozen. Messages are
 * compared by what they say, for hosts may change theirs in place. Inputs and metadata may be the host's own: those of new messages are copied.
 */
export function keepMessages(): KeepKnown<Message> {
  return keepKnown(ownMessage);
}

/** The same for what a model is told of tools; their schemas may be the host's own. */
export function keepTools(): KeepKnown<ToolDescription> {
  return keepKnown((tool) => ({ ...tool, inputSchema: jsonObject(tool.inputSchema) }));
}

/** A message that shares no data with its host, which the engine may freeze. */
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
      return before && saysSame(before, one) ? before : own(one);
    });
    return known;
  };
}

/** Whether `given` says as JSON what `known` says, which is JSON. What JSON changes (dates, say) counts as another. */
function saysSame(known: unknown, given: unknown): boolean {
  if (known === given) return true;
  if (typeof known !== 'object' || typeof given !== 'object' || known === null || given === null) return false;
  if (Array.isArray(known) !== Array.isArray(given) || 'toJSON' in given) return false;
  if (Array.isArray(given)) return hasSame(known as readonly unknown[], given);
  let more = 0;
  for (const key in given) {
    const member = (given as Members)[key];
    if (member === undefined) continue;
    if (!Object.hasOwn(known, key) || !saysSame((known as Members)[key], member)) return false;
    more += 1;
  }
  for (const _ in known) more -= 1;
  return more === 0;
}

function hasSame(known: readonly unknown[], given: readonly unknown[]): boolean {
  if (known.length !== given.length) return false;
  // By index: it is done for each part of a conversation on each step.
  for (let at = 0; at < known.length; at++) if (!saysSame(known[at], given[at])) return false;
  return true;
}

type Members = Readonly<Record<string, unknown>>;

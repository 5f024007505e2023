import type { Message, MessagePart, ToolResultPart } from '../../../../events/parts/message.ts';
import { callOf, samePart } from '../../../../loops/sources-of.ts';
import type { PromptMessage } from '../../language-model.ts';
import type { HostMessage, HostPart } from '../host-ai.ts';
import { inPlace } from '../in-place.ts';
import { readHostPart } from './from-host-message.ts';

/** A message of the SDK, and the Hookline message that was read from it. */
export interface Origin {
  readonly host: HostMessage;
  readonly seen: Message;
}

/** Converts messages of Hookline for the SDK's model. */
export type ToPrompt = (messages: readonly Message[]) => Promise<readonly PromptMessage[]>;

interface RawPart {
  readonly own: HostPart;
  readonly seen: MessagePart;
}

/**
 * Converts a changed message for the SDK's model. Parts that hooks left unchanged or do not see keep the SDK's own object. Changed parts of a reply
 * lose the provider's data and ids.
 */
export async function restoreMessage(
  settled: Message,
  { host, seen }: Origin,
  toPrompt: ToPrompt,
): Promise<HostMessage[]> {
  if (typeof host.content === 'string')
    return (await toPrompt([settled])).map((message) => ({ ...host, ...message }) as HostMessage);
  const parts = [...seen.parts];
  const slots = host.content.map((own) => {
    const visible = readHostPart(own) === undefined ? undefined : parts.shift();
    return visible ? { raw: { own, seen: visible } } : { foreign: own };
  });
  const placed = inPlace<RawPart>(slots, settled.parts, {
    isOf: (raw, part) => samePart(raw.seen, part) || (callOf(part) !== undefined && callOf(raw.seen) === callOf(part)),
    typeOf: (raw) => raw.seen.type,
  });
  const content = await Promise.all(
    placed.map(async (one) => {
      if ('foreign' in one) return [one.foreign];
      if (one.raw && samePart(one.raw.seen, one.part)) return [one.raw.own];
      return changed(settled.role, one.part, one.raw, toPrompt);
    }),
  );
  return content.flat().length > 0 ? [{ ...host, content: content.flat() }] : [];
}

async function changed(
  role: Message['role'],
  part: MessagePart,
  raw: RawPart | undefined,
  toPrompt: ToPrompt,
): Promise<readonly HostPart[]> {
  // The result of a call that the provider ran is part of the reply.
  const inAnswer = role === 'assistant';
  const kept = inAnswer && isKnown(raw, part) ? without(part, 'metadata') : part;
  const as = part.type === 'toolResult' && raw ? 'tool' : role;
  const [message] = await toPrompt([{ role: as, parts: [kept] }]);
  const made = (message?.content ?? []) as readonly HostPart[];
  if (!raw || part.type === 'media') return made;
  const own = inAnswer || part.type !== 'toolResult' ? without(raw.own, 'providerOptions') : raw.own;
  return made.map((one) => ({ ...own, ...one, ...(part.type === 'toolResult' && outputOf(part, raw, one)) }));
}

/** Returns the output of a result in its original format, if the settled text still has that format. */
function outputOf(part: ToolResultPart, { own, seen }: RawPart, made: HostPart): { readonly output: unknown } {
  const output = own['output'] as { readonly type: string; readonly value?: unknown };
  const { result } = seen as ToolResultPart;
  const { content, isError, media, artifactTags } = part.result;
  if (isError !== result.isError || media?.length || artifactTags?.length) return { output: made['output'] };
  if (output.type === 'execution-denied') return { output: { ...output, reason: content } };
  if (typeof output.value === 'string' && output.type.endsWith('text'))
    return { output: { ...output, value: content } };
  try {
    const value: unknown = JSON.parse(content);
    if (output.type !== 'content' || Array.isArray(value)) return { output: { ...output, value } };
  } catch {
    // The text no longer has that format.
  }
  return { output: made['output'] };
}

/** Returns true if the provider's data still belongs to the part. */
function isKnown(raw: RawPart | undefined, part: MessagePart): boolean {
  const [before, after] = [raw?.seen, part] as { readonly metadata?: unknown }[];
  return before?.metadata !== undefined && JSON.stringify(before.metadata) === JSON.stringify(after?.metadata);
}

function without<T extends object>(value: T, name: string): T {
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name)) as T;
}

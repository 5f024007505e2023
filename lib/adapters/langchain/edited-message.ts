import type { Message, MessagePart, ToolCallPart } from '../../events/parts/message.ts';
import { sourcesOf } from '../../loops/sources-of.ts';
import type { HostBlock, HostMessage } from './host-langchain.ts';
import { fromHostMessage, outsideContent, toPart } from './messages.ts';
import { keepFields } from './provider-fields.ts';

/** A message of LangChain, and the Hookline message that was read from it. */
export interface Origin {
  readonly host: HostMessage;
  readonly message: Message;
}

/** Returns, for each settled message, the message of LangChain it came from. The entry is `undefined` for a message that a hook added. */
export function originsOf(
  given: readonly HostMessage[],
  began: readonly Message[],
  settled: readonly Message[],
): (Origin | undefined)[] {
  const sources = sourcesOf(began, settled);
  const hosts = new Map(began.map((message, at) => [message, given[at]]));
  return settled.map((one) => {
    const message = sources.get(one);
    const host = message && hosts.get(message);
    return host && { host, message };
  });
}

/** Returns the fields of a changed message. Content that no hook changed is kept. Provider fields that repeat changed content are dropped. */
export function editedFields({ host }: Origin, { role, parts }: Message): object | undefined {
  const content = editedContent(host, role, parts);
  if (content === undefined) return undefined;
  const { name, usage_metadata } = host;
  // The format of the content blocks.
  const form = typeof content === 'string' ? undefined : host.response_metadata?.['output_version'];
  return {
    content,
    ...(name !== undefined && { name }),
    ...(usage_metadata && { usage_metadata }),
    additional_kwargs: keepFields(host.additional_kwargs, parts),
    response_metadata: {
      ...keepFields(host.response_metadata, parts),
      ...(form !== undefined && { output_version: form }),
    },
  };
}

/**
 * A block of the LangChain message and the part that hooks saw. A block without a part was hidden from hooks, a part without a block came from a
 * provider field.
 */
interface Piece {
  readonly block?: HostBlock;
  readonly part?: MessagePart;
}

function editedContent(
  host: HostMessage,
  role: Message['role'],
  parts: readonly MessagePart[],
): string | HostBlock[] | undefined {
  const { before, after } = outsideContent(host);
  const blocks = typeof host.content === 'string' ? textBlocks(host.content) : host.content;
  const aside = (block: HostBlock): Piece[] => toPart(block).map((part) => ({ part }));
  const pieces: Piece[] = [
    ...before.flatMap(aside),
    ...blocks.map((block) => ({ block, ...partOf(block) })),
    ...after.flatMap(aside),
  ];
  const seen = pieces.flatMap(({ part }) => (part ? [part] : []));
  const was = fromHostMessage(host).parts;
  // Hooks saw LangChain's standard blocks. The content cannot be edited block by block if the provider's blocks differ from them.
  if (!isSame(seen, was.filter(isNoCall))) return undefined;
  const calls = parts.filter((part) => part.type === 'toolCall');
  if (role === 'assistant' && !blocks.every((block) => isUnchangedCall(block, calls, was))) return undefined;

  const left = parts.filter(isNoCall);
  const isPairwise = left.length === seen.length && left.every(({ type }, at) => type === seen[at]?.type);
  const content: HostBlock[] = [];
  const keepHidden = (piece: Piece): void => {
    if (piece.block && !piece.part && (role !== 'assistant' || isCall(piece.block))) content.push(piece.block);
  };
  let at = 0;
  for (const part of left) {
    const found = pieces.findIndex((piece, i) => i >= at && piece.part && (isPairwise || isSame(piece.part, part)));
    if (found < 0) {
      content.push(...madeOf(part));
      continue;
    }
    pieces.slice(at, found).forEach(keepHidden);
    at = found + 1;
    const { block, part: known } = pieces[found] as Piece;
    if (!isSame(known, part)) content.push(...madeOf(part, block));
    else if (block) content.push(block);
  }
  pieces.slice(at).forEach(keepHidden);
  const isPlain = typeof host.content === 'string' && content.every(({ type }) => type === 'text');
  return isPlain ? content.map(({ text }) => String(text)).join('') : content;
}

function textBlocks(text: string): HostBlock[] {
  return text === '' ? [] : [{ type: 'text', text }];
}

function partOf(block: HostBlock): { readonly part?: MessagePart } {
  const [part] = toPart(block);
  return part ? { part } : {};
}

function isNoCall({ type }: MessagePart): boolean {
  return type !== 'toolCall';
}

/** Some providers also list calls in the content. */
function isCall({ type }: HostBlock): boolean {
  return type === 'tool_use' || type === 'tool_call';
}

/** Returns true if the block is not a call, or is a call that no hook changed. */
function isUnchangedCall(block: HostBlock, calls: readonly ToolCallPart[], was: readonly MessagePart[]): boolean {
  if (!isCall(block)) return block.type !== 'functionCall';
  const [now, before] = [calls, was].map((parts) =>
    (parts as readonly MessagePart[]).find((part) => part.type === 'toolCall' && part.toolCall.id === block['id']),
  );
  return now !== undefined && isSame(now, before);
}

/**
 * Returns the block for a changed part. It keeps only the cache control of the original block. A changed thought is dropped, because only the
 * provider can write one.
 */
function madeOf(part: MessagePart, block?: HostBlock): HostBlock[] {
  const cached = block?.['cache_control'];
  const more = cached !== undefined && { cache_control: cached };
  if (part.type === 'text') return part.text === '' ? [] : [{ type: 'text', text: part.text, ...more }];
  return part.type === 'media' ? [{ type: 'image_url', image_url: { url: part.url }, ...more }] : [];
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

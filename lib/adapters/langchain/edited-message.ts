import type { Message, MessagePart, ToolCallPart } from '../../events/parts/message.ts';
import { sourcesOf } from '../../loops/sources-of.ts';
import { keptBeside } from './beside.ts';
import type { HostBlock, HostMessage } from './host-langchain.ts';
import { besideContent, fromHostMessage, toPart } from './messages.ts';

/** What the host had for a message that a hook has changed: its own, and what hooks saw of it. */
export interface Origin {
  readonly host: HostMessage;
  readonly message: Message;
}

/** For each message that hooks have settled, that of the host which it was, or is made of; nothing for one of their own. */
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

/** The fields of a changed message: what hooks have left is as it was, and nothing of what they have changed is told a second time. */
export function editedFields({ host }: Origin, { role, parts }: Message): object | undefined {
  const content = editedContent(host, role, parts);
  if (content === undefined) return undefined;
  const { name, usage_metadata } = host;
  // In whose words the content is.
  const form = typeof content === 'string' ? undefined : host.response_metadata?.['output_version'];
  return {
    content,
    ...(name !== undefined && { name }),
    ...(usage_metadata && { usage_metadata }),
    additional_kwargs: keptBeside(host.additional_kwargs, parts),
    response_metadata: {
      ...keptBeside(host.response_metadata, parts),
      ...(form !== undefined && { output_version: form }),
    },
  };
}

/** A piece of the host's message: its block, where it has one, and what hooks saw of it, where they saw it. */
interface Piece {
  readonly block?: HostBlock;
  readonly part?: MessagePart;
}

function editedContent(
  host: HostMessage,
  role: Message['role'],
  parts: readonly MessagePart[],
): string | HostBlock[] | undefined {
  const { before, after } = besideContent(host);
  const blocks = typeof host.content === 'string' ? textBlocks(host.content) : host.content;
  const aside = (block: HostBlock): Piece[] => toPart(block).map((part) => ({ part }));
  const pieces: Piece[] = [
    ...before.flatMap(aside),
    ...blocks.map((block) => ({ block, ...partOf(block) })),
    ...after.flatMap(aside),
  ];
  const seen = pieces.flatMap(({ part }) => (part ? [part] : []));
  const was = fromHostMessage(host).parts;
  // Hooks were shown the words that LangChain has for all providers: those of this one may come in other pieces.
  if (!isSame(seen, was.filter(isNoCall))) return undefined;
  const calls = parts.filter((part) => part.type === 'toolCall');
  if (role === 'assistant' && !blocks.every((block) => isCallAsTold(block, calls, was))) return undefined;

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

/** Some providers have calls among the content, too. */
function isCall({ type }: HostBlock): boolean {
  return type === 'tool_use' || type === 'tool_call';
}

/** Whether the block is no call, or one that hooks have left. */
function isCallAsTold(block: HostBlock, calls: readonly ToolCallPart[], was: readonly MessagePart[]): boolean {
  if (!isCall(block)) return block.type !== 'functionCall';
  const [now, before] = [calls, was].map((parts) =>
    (parts as readonly MessagePart[]).find((part) => part.type === 'toolCall' && part.toolCall.id === block['id']),
  );
  return now !== undefined && isSame(now, before);
}

/** What a hook has made of a part: of the block that it was, only how it is cached. A thought is a provider's own, or none. */
function madeOf(part: MessagePart, block?: HostBlock): HostBlock[] {
  const cached = block?.['cache_control'];
  const more = cached !== undefined && { cache_control: cached };
  if (part.type === 'text') return part.text === '' ? [] : [{ type: 'text', text: part.text, ...more }];
  return part.type === 'media' ? [{ type: 'image_url', image_url: { url: part.url }, ...more }] : [];
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

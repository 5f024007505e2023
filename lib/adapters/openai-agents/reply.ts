import type { MessagePart } from '../../events/parts/message.ts';
import type { ToolCall } from '../../events/parts/tool-call.ts';
import type { Usage } from '../../events/parts/usage.ts';
import type { ModelStepResult } from '../../loops/loop-run.ts';
import type { ModelChunk } from '../../pipeline/define/model.ts';
import type { HostItem } from './host-types.ts';
import { isMessage, newCall, newMessage, newReasoning, textOfItem, toAssistantPart } from './items.ts';

/** Converts a response to model chunks. Text that is already in `streamed` is left out. */
export function toChunks(
  { output, usage }: { readonly output: readonly HostItem[]; readonly usage: unknown },
  streamed: readonly string[] = [],
): readonly ModelChunk[] {
  const rest = restOf(output.filter(isMessage).map(textOfItem), streamed);
  let text = -1;
  let block = streamed.length;
  const chunks = output.flatMap((item): ModelChunk[] => {
    const part = toAssistantPart(item);
    if (part?.type === 'toolCall') return [{ type: 'toolCall', toolCall: part.toolCall, block: block++ }];
    if (part?.type === 'thinking') return [{ type: 'thinking', delta: part.text, block: block++ }];
    if (part?.type !== 'text') return [];
    text += 1;
    const delta = rest[text] ?? '';
    if (streamed[text] === undefined) return delta === '' ? [] : [{ type: 'text', delta, block: block++ }];
    return delta === '' ? [] : [{ type: 'text', delta, block: text }];
  });
  const calls = output.some(({ type }) => type === 'function_call');
  const reported = toUsage(usage);
  return [
    ...chunks,
    { type: 'finish', finishReason: calls ? 'toolCalls' : 'stop', ...(reported && { usage: reported }) },
  ];
}

/** Returns the rest of each message after its streamed text. */
function restOf(texts: readonly string[], streamed: readonly string[]): readonly string[] {
  if (texts.join('') === streamed.join('')) return [];
  return texts.map((text, index) => {
    const sent = streamed[index] ?? '';
    return text.startsWith(sent) ? text.slice(sent.length) : '';
  });
}

function toUsage(usage: unknown): Usage | undefined {
  const { inputTokens, outputTokens, inputTokensDetails, outputTokensDetails } = (usage ?? {}) as {
    readonly [field: string]: unknown;
  };
  if (typeof inputTokens !== 'number' || typeof outputTokens !== 'number') return undefined;
  const cached = detail(inputTokensDetails, 'cached_tokens');
  const reasoning = detail(outputTokensDetails, 'reasoning_tokens');
  return {
    inputTokens,
    outputTokens,
    ...(cached > 0 && { cachedInputTokens: cached }),
    ...(reasoning > 0 && { reasoningTokens: reasoning }),
  };
}

function detail(details: unknown, name: string): number {
  const all = (Array.isArray(details) ? details : [details]) as ({ readonly [name: string]: unknown } | undefined)[];
  return all.reduce((sum, one) => sum + (typeof one?.[name] === 'number' ? one[name] : 0), 0);
}

/** Returns the items of a settled reply. They are the provider's own, unless hooks changed them. */
export function toOutput(
  { message: { parts }, finished, finishReason }: ModelStepResult,
  raw: readonly HostItem[],
): readonly HostItem[] {
  const texts = textsOf(parts);
  const thoughts = parts.flatMap((part) => (part.type === 'thinking' ? [part.text] : []));
  const calls = new Map(parts.flatMap((part) => (part.type === 'toolCall' ? [[part.toolCall.id, part.toolCall]] : [])));
  const sameTexts = sameList(texts, textsOf(raw.flatMap((item) => toAssistantPart(item) ?? [])));
  const sameThoughts = sameList(thoughts, raw.filter(isReasoning).map(textOfItem));

  let left: readonly HostItem[] = sameTexts || texts.length === 0 ? [] : [newMessage(texts)];
  const take = (): readonly HostItem[] => {
    const taken = left;
    left = [];
    return taken;
  };
  const kept = raw.flatMap((item): readonly HostItem[] => {
    if (isMessage(item)) return sameTexts ? [item] : take();
    if (isReasoning(item)) return sameThoughts || thoughts.includes(textOfItem(item)) ? [item] : [];
    if (item.type !== 'function_call') return [item];
    const call = calls.get(String(item['callId']));
    calls.delete(String(item['callId']));
    return call ? [...take(), sameCall(call, item) ? item : newCall(call, item)] : [];
  });
  const changed = sameThoughts
    ? []
    : thoughts.filter((text) => !raw.some((item) => isReasoning(item) && textOfItem(item) === text));
  const output = [
    ...changed.map(newReasoning),
    ...kept,
    ...take(),
    ...[...calls.values()].map((call) => newCall(call)),
  ];
  // The runner treats a reply without text or calls as missing, and sends the request again.
  const ends = finished || finishReason === 'responded' || finishReason === 'stopped';
  const hasOutput = output.some((item) => isMessage(item) || item.type === 'function_call');
  return ends && !hasOutput ? [...output, newMessage([''])] : output;
}

function textsOf(parts: readonly MessagePart[]): readonly string[] {
  return parts.flatMap((part) => (part.type === 'text' && part.text !== '' ? [part.text] : []));
}

function isReasoning({ type }: HostItem): boolean {
  return type === 'reasoning';
}

function sameCall(call: ToolCall, item: HostItem): boolean {
  const part = toAssistantPart(item);
  return part?.type === 'toolCall' && JSON.stringify(part.toolCall) === JSON.stringify(call);
}

/** Returns true if both have the same text. Several texts of a provider may have been joined. */
function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.join('') === b.join('');
}

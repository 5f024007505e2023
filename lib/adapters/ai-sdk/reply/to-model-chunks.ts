import { connectionEnded } from '../../../errors/connection-ended.ts';
import { HooklineError } from '../../../errors.ts';
import type { FinishReason } from '../../../events/parts/finish-reason.ts';
import type { Usage } from '../../../events/parts/usage.ts';
import type { ModelChunk } from '../../../pipeline/define/model.ts';
import type { StreamPart } from '../language-model.ts';
import { addMetadata, type Blocks, blockKey, indexOf, openBlock, takeMetadata } from './blocks.ts';
import { toToolCall } from './to-tool-call.ts';

/**
 * Converts a stream part of any version to model chunks. Parts without a counterpart (sources, files, calls that the provider runs) return none.
 * Blocks follow the ids of the parts. Providers reuse ids for later blocks.
 */
export function toModelChunks(part: StreamPart, blocks: Blocks): readonly ModelChunk[] {
  switch (part.type) {
    case 'text-start':
    case 'text-delta':
    case 'text-end':
      return toBlockChunks('text', part, blocks);
    case 'reasoning-start':
    case 'reasoning-delta':
    case 'reasoning-end':
      return toBlockChunks('thinking', part, blocks);
    case 'tool-input-start':
      if (part.providerExecuted) blocks.foreign.add(part.id ?? '');
      return [];
    case 'tool-input-delta':
      return toToolInputChunks(part, blocks);
    case 'tool-call':
      return toToolCallChunks(part, blocks);
    case 'finish':
      return [...[...blocks.open.keys()].flatMap((key) => endBlock(key, blocks)), toFinishChunk(part)];
    default:
      return [];
  }
}

function toBlockChunks(kind: 'text' | 'thinking', part: StreamPart, blocks: Blocks): readonly ModelChunk[] {
  const key = blockKey(kind, part.id ?? '');
  const earlier = part.type.endsWith('-start') ? endBlock(key, blocks) : [];
  const block = openBlock(kind, part.id ?? '', blocks);
  addMetadata(block, part.providerMetadata);
  if (part.type.endsWith('-end')) return endBlock(key, blocks);
  if (!part.delta) return earlier;
  return [...earlier, { type: kind, delta: part.delta, block: indexOf(block, blocks), ...takeMetadata(block) }];
}

function toToolInputChunks({ id = '', delta }: StreamPart, blocks: Blocks): readonly ModelChunk[] {
  if (!delta || blocks.foreign.has(id)) return [];
  return [{ type: 'toolInput', toolCallId: id, delta, block: indexOf(openBlock('tool', id, blocks), blocks) }];
}

function toToolCallChunks(part: StreamPart, blocks: Blocks): readonly ModelChunk[] {
  const { toolCallId = '' } = part;
  if (part.providerExecuted || blocks.foreign.has(toolCallId)) return [];
  const block = openBlock('tool', toolCallId, blocks);
  // Some models give their next call the same id.
  blocks.open.delete(blockKey('tool', toolCallId));
  addMetadata(block, part.providerMetadata);
  return [{ type: 'toolCall', toolCall: toToolCall(part), block: indexOf(block, blocks), ...takeMetadata(block) }];
}

/** A block with metadata but no text, such as a hidden thought, still becomes a part. */
function endBlock(key: string, blocks: Blocks): readonly ModelChunk[] {
  const block = blocks.open.get(key);
  blocks.open.delete(key);
  if (!block || block.kind === 'tool' || (block.index === undefined && !block.unsent)) return [];
  const empty = block.index === undefined;
  const index = indexOf(block, blocks);
  const first: ModelChunk[] = empty ? [{ type: block.kind, delta: '', block: index, ...takeMetadata(block) }] : [];
  return [...first, { type: 'blockEnd', block: index, ...takeMetadata(block) }];
}

function toFinishChunk(part: StreamPart): ModelChunk {
  const usage = toUsage(part.usage);
  return { type: 'finish', finishReason: toFinishReason(part.finishReason), ...(usage && { usage }) };
}

const reasons: { readonly [reason: string]: FinishReason } = {
  stop: 'stop',
  length: 'length',
  'content-filter': 'contentFilter',
  'tool-calls': 'toolCalls',
};

/**
 * Converts a finish reason of any version: a string in v2, `{ unified, raw }` in later versions. A reason without a counterpart is 'other'. Throws
 * `MODEL_FAILED` for 'error' and 'interrupted', because a broken reply must not look complete.
 */
function toFinishReason(reason: unknown): FinishReason {
  const { unified, raw } = (typeof reason === 'string' ? { unified: reason } : (reason ?? {})) as {
    unified?: string;
    raw?: string;
  };
  if (unified === 'interrupted') throw connectionEnded();
  if (unified === 'error')
    throw new HooklineError('MODEL_FAILED', `the model stopped because of an error${raw ? ` (${raw})` : ''}`);
  return (unified !== undefined && Object.hasOwn(reasons, unified) && reasons[unified]) || 'other';
}

type Fields = { readonly [field: string]: unknown } | null | undefined;

/** Converts the usage of any version (flat in v2, nested in later versions) to tokens. Returns `undefined` if the provider counted nothing. */
function toUsage(usage: unknown): Usage | undefined {
  const flat = usage as Fields;
  const input = flat?.['inputTokens'] as Fields;
  const output = flat?.['outputTokens'] as Fields;
  const inputTokens = count(input) ?? count(input?.['total']);
  const outputTokens = count(output) ?? count(output?.['total']);
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  const cachedInputTokens = count(flat?.['cachedInputTokens']) ?? count(input?.['cacheRead']);
  const reasoningTokens = count(flat?.['reasoningTokens']) ?? count(output?.['reasoning']);
  return {
    inputTokens: inputTokens ?? 0,
    outputTokens: outputTokens ?? 0,
    ...(cachedInputTokens && { cachedInputTokens }),
    ...(reasoningTokens && { reasoningTokens }),
  };
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

import type { JsonObject } from '../../../events/values/json-value.ts';
import type { ProviderData } from '../language-model.ts';

export type BlockKind = 'text' | 'thinking' | 'tool';

/** A block of the stream. `index` is assigned with the first chunk, so indexes have no gaps. `unsent` metadata goes with the next chunk. */
export interface Block {
  readonly kind: BlockKind;
  index?: number;
  metadata?: JsonObject;
  unsent?: boolean;
}

/** The state of `toModelChunks` between two parts of a stream. */
export interface Blocks {
  readonly open: Map<string, Block>;
  /** Ids of calls that the provider runs. Their input is not shown. */
  readonly foreign: Set<string>;
  count: number;
}

/** Returns the state for a new stream. */
export const newBlocks = (): Blocks => ({ open: new Map(), foreign: new Set(), count: 0 });

/** Returns the key of a block. Texts, thoughts and calls may have the same id. */
export const blockKey = (kind: BlockKind, id: string): string => `${kind}:${id}`;

/** Returns the open block of that kind and id, or opens one. */
export function openBlock(kind: BlockKind, id: string, blocks: Blocks): Block {
  const known = blocks.open.get(blockKey(kind, id));
  if (known) return known;
  const block: Block = { kind };
  blocks.open.set(blockKey(kind, id), block);
  return block;
}

export function indexOf(block: Block, blocks: Blocks): number {
  block.index ??= blocks.count++;
  return block.index;
}

/** Adds metadata to a block, by provider: one part may add an id, a later one the signature. */
export function addMetadata(block: Block, data: ProviderData | undefined): void {
  if (!data || Object.keys(data).length === 0) return;
  const added = JSON.parse(JSON.stringify(data)) as { [provider: string]: JsonObject };
  const merged: { [provider: string]: JsonObject } = { ...(block.metadata as typeof added) };
  for (const provider of Object.keys(added)) merged[provider] = { ...merged[provider], ...added[provider] };
  block.metadata = merged;
  block.unsent = true;
}

/** Returns the metadata for the next chunk of a block: all of it, once for each change. */
export function takeMetadata(block: Block): { metadata?: JsonObject } {
  if (!block.unsent || !block.metadata) return {};
  block.unsent = false;
  return { metadata: block.metadata };
}

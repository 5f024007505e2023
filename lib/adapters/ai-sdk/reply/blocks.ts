import type { JsonObject } from '../../../events/values/json-value.ts';
import type { ProviderData } from '../language-model.ts';

export type BlockKind = 'text' | 'thinking' | 'tool';

/** A block of the stream. `index` is given with its first chunk, so indexes have no gaps; `unsent` metadata has yet to be carried. */
export interface Block {
  readonly kind: BlockKind;
  index?: number;
  metadata?: JsonObject;
  unsent?: boolean;
}

/** What `toModelChunks` remembers between two parts of one stream. */
export interface Blocks {
  readonly open: Map<string, Block>;
  /** Ids of calls that the provider runs itself; their input is not ours to show. */
  readonly foreign: Set<string>;
  count: number;
}

/** The state for a new stream. */
export const newBlocks = (): Blocks => ({ open: new Map(), foreign: new Set(), count: 0 });

/** The key of a block. Texts, thoughts and calls may carry the same id. */
export const blockKey = (kind: BlockKind, id: string): string => `${kind}:${id}`;

/** The open block of that kind and id; it is opened if there is none. */
export function openBlock(kind: BlockKind, id: string, blocks: Blocks): Block {
  const known = blocks.open.get(blockKey(kind, id));
  if (known) return known;
  const block: Block = { kind };
  blocks.open.set(blockKey(kind, id), block);
  return block;
}

/** The index of a block in its stream. */
export function indexOf(block: Block, blocks: Blocks): number {
  block.index ??= blocks.count++;
  return block.index;
}

/** Adds metadata to a block, provider by provider: one part may bring an id, a later one the signature. */
export function addMetadata(block: Block, data: ProviderData | undefined): void {
  if (!data || Object.keys(data).length === 0) return;
  const added = JSON.parse(JSON.stringify(data)) as { [provider: string]: JsonObject };
  const merged: { [provider: string]: JsonObject } = { ...(block.metadata as typeof added) };
  for (const provider of Object.keys(added)) merged[provider] = { ...merged[provider], ...added[provider] };
  block.metadata = merged;
  block.unsent = true;
}

/** The metadata that the next chunk of a block has to carry: all of it, once for each change. */
export function takeMetadata(block: Block): { metadata?: JsonObject } {
  if (!block.unsent || !block.metadata) return {};
  block.unsent = false;
  return { metadata: block.metadata };
}

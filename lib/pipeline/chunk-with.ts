import type { ChunkEvent } from '../events/hook-event.ts';
import type { ReasoningChunk } from '../events/reasoning-chunk.ts';

/** A chunk of the block with this template. Spelt out, for this is done for every chunk; a spread takes twice as long. */
export function chunkWith<C extends ChunkEvent>(template: C, text: string): C {
  if (template.type === 'actingChunk') return { ...template, content: text };
  const { type, run, iteration, part, block, toolCallId, attempt, last }: ReasoningChunk = template;
  if (toolCallId !== undefined) return { ...template, delta: text };
  return { type, run, iteration, part, delta: text, block, attempt, last } as C;
}

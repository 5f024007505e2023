import type { ChunkEvent } from '../../events/hook-event.ts';

/**
 * A chunk of the block with this template. Spelt out, for this is done for every chunk; a spread takes twice as long.
 */
export function chunkWith<C extends ChunkEvent>(template: C, text: string, last = false): C {
  const { run, iteration, attempt }: ChunkEvent = template;
  if (template.type === 'actingChunk') {
    const { type, toolCall } = template;
    return { type, run, iteration, toolCall, content: text, attempt, last } as C;
  }
  const { type, part, block, toolCallId } = template;
  if (toolCallId !== undefined)
    return { type, run, iteration, part, delta: text, block, toolCallId, attempt, last } as C;
  return { type, run, iteration, part, delta: text, block, attempt, last } as C;
}

import type { ActingChunk } from '../../events/acting-chunk.ts';
import type { ChunkEvent } from '../../events/hook-event.ts';
import type { ReasoningChunk } from '../../events/reasoning-chunk.ts';

/** A chunk of the block with this template. Spelt out, for this is done for every chunk; a spread takes twice as long. */
export function chunkOf<C extends ChunkEvent>(template: C, text: string, last = false): C {
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

/**
 * The text of what a hook returned where it is the chunk with at most another text, as nearly always; nothing where more has to be looked
 * at. Spelt out, too, for this is asked for every chunk that is changed.
 */
export function plainText(chunk: ChunkEvent, returned: Partial<ChunkEvent> | null | undefined): string | undefined {
  if (returned === undefined || returned === null || chunk.last || returned.last !== false) return undefined;
  if (returned.run !== chunk.run || returned.iteration !== chunk.iteration || returned.attempt !== chunk.attempt)
    return undefined;
  if (chunk.decision || chunk.notes || returned.decision !== undefined || returned.notes !== undefined)
    return undefined;
  const text = chunk.type === 'actingChunk' ? actingText(chunk, returned) : reasoningText(chunk, returned);
  return typeof text === 'string' ? text : undefined;
}

function reasoningText(chunk: ReasoningChunk, returned: Partial<ChunkEvent>): unknown {
  if (returned.type !== 'reasoningChunk' || returned.part !== chunk.part || returned.block !== chunk.block)
    return undefined;
  return returned.toolCallId === chunk.toolCallId ? returned.delta : undefined;
}

function actingText(chunk: ActingChunk, returned: Partial<ChunkEvent>): unknown {
  return returned.type === 'actingChunk' && returned.toolCall === chunk.toolCall ? returned.content : undefined;
}

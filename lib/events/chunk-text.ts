import { modify } from './decisions/modify.ts';
import type { NoteInput } from './decisions/note.ts';
import type { ChunkEvent, HookEvent } from './hook-event.ts';

/** Returns whether an event is a chunk of a stream. */
export function isChunk(event: HookEvent): event is ChunkEvent {
  return event.type === 'reasoningChunk' || event.type === 'actingChunk';
}

/** Returns the text of a chunk, whichever field contains it. */
export function chunkText(chunk: ChunkEvent): string {
  return chunk.type === 'reasoningChunk' ? chunk.delta : chunk.content;
}

/** Returns the chunk with another text and an optional note, like a change by a hook. */
export function withText<C extends ChunkEvent>(chunk: C, text: string, note?: NoteInput): C {
  const changes = chunk.type === 'reasoningChunk' ? { delta: text } : { content: text };
  return modify<ChunkEvent>(chunk, changes, note ? { note } : {}) as C;
}

import { modify } from './decisions/modify.ts';
import type { NoteInput } from './decisions/note.ts';
import type { ChunkEvent, HookEvent } from './hook-event.ts';

/** Whether an event is a piece of a stream. */
export function isChunk(event: HookEvent): event is ChunkEvent {
  return event.type === 'reasoningChunk' || event.type === 'actingChunk';
}

/** The text of a chunk, whichever field holds it. */
export function chunkText(chunk: ChunkEvent): string {
  return chunk.type === 'reasoningChunk' ? chunk.delta : chunk.content;
}

/** The chunk with another text and, if given, a note beside it: a change as a hook makes it. */
export function withText<C extends ChunkEvent>(chunk: C, text: string, note?: NoteInput): C {
  const changes = chunk.type === 'reasoningChunk' ? { delta: text } : { content: text };
  return modify<ChunkEvent>(chunk, changes, note ? { note } : {}) as C;
}

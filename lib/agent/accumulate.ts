import { defer, map, type OperatorFunction } from 'rxjs';
import { chunkText, isChunk } from '../events/chunk-text.ts';
import type { ChunkEvent, HookEvent } from '../events/hook-event.ts';

/** A chunk with the whole text of its block or call so far. */
export type Accumulated<E extends HookEvent = HookEvent> = E extends ChunkEvent
  ? E & { readonly accumulated: string }
  : E;

/**
 * Adds `accumulated` to chunk events, for UIs that render whole texts. A chunk of a higher attempt restarts the text. Other events are unchanged.
 */
export function accumulate<E extends HookEvent>(): OperatorFunction<E, Accumulated<E>> {
  return (events$) =>
    // Each subscription needs its own texts, because cold runs share their operators.
    defer(() => {
      const texts = new Map<string, { attempt: number; text: string }>();
      return events$.pipe(map((event: HookEvent) => withText(event, texts) as Accumulated<E>));
    });
}

function withText(event: HookEvent, texts: Map<string, { attempt: number; text: string }>): Accumulated {
  if (event.type === 'postCall') forget(texts, event.run.runId);
  if (!isChunk(event)) return event;
  const key = keyOf(event);
  const known = texts.get(key);
  const before = known?.attempt === event.attempt ? known.text : '';
  const text = before + chunkText(event);
  if (event.last) texts.delete(key);
  else texts.set(key, { attempt: event.attempt, text });
  return { ...event, accumulated: text };
}

function keyOf(event: ChunkEvent): string {
  const part = event.type === 'reasoningChunk' ? event.block : event.toolCall.id;
  return JSON.stringify([event.run.runId, event.iteration, event.type, part]);
}

function forget(texts: Map<string, unknown>, runId: string): void {
  for (const key of texts.keys()) if (JSON.parse(key)[0] === runId) texts.delete(key);
}

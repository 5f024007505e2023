import type { ActingChunk } from '../events/acting-chunk.ts';
import type { ChunkEvent, Settled } from '../events/hook-event.ts';
import type { ReasoningChunk } from '../events/reasoning-chunk.ts';
import type { RunScope } from './run-scope.ts';

/**
 * Stamps a chunk with its place and time. Of `chunk` only what hooks may change is taken, the rest of its block's `template`: in
 * production chunks are not frozen.
 */
export function stampChunk<C extends ChunkEvent>(scope: RunScope, chunk: C, template: C): Settled<C> {
  const seq = scope.seq;
  const time = scope.settings.scheduler.now();
  scope.seq = seq + 1;
  const plain = template.type === 'reasoningChunk' && !chunk.decision && !chunk.notes;
  const settled = plain
    ? stampPlain(chunk as ReasoningChunk, template, seq, time)
    : { seq, time, ...template, ...changeable(chunk, template) };
  return (scope.settings.freezeChunks ? Object.freeze(settled) : settled) as Settled<C>;
}

/** Tells everybody who only watches of a chunk that has been stamped. */
export function announceChunk<C extends ChunkEvent>(scope: RunScope, chunk: C, settled: Settled<C>): void {
  scope.tracer?.settled(chunk, settled);
  scope.publish(settled as Settled);
}

/** The commonest event of all, spelt out because that is three times faster than a spread. */
function stampPlain(chunk: ReasoningChunk, template: ReasoningChunk, seq: number, time: number): object {
  const { type, run, iteration, part, block, attempt, toolCallId } = template;
  const { delta, last } = chunk;
  if (toolCallId !== undefined)
    return { seq, time, type, run, iteration, part, delta, block, toolCallId, attempt, last };
  return { seq, time, type, run, iteration, part, delta, block, attempt, last };
}

function changeable(chunk: ChunkEvent, template: ChunkEvent): object {
  const { last, decision, notes } = chunk;
  const text =
    template.type === 'reasoningChunk'
      ? { delta: (chunk as ReasoningChunk).delta }
      : { content: (chunk as ActingChunk).content };
  return { ...text, last, ...(decision && { decision }), ...(notes && { notes }) };
}

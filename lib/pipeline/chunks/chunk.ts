import type { ActingChunk } from '../../events/acting-chunk.ts';
import type { ChunkEvent, SettledEvent } from '../../events/hook-event.ts';
import type { ReasoningChunk } from '../../events/reasoning-chunk.ts';
import { firstAbort, type RunScope } from '../run/run-scope.ts';
import type { StepScope } from '../run/step-scope.ts';
import { redactEvent } from '../trace/redact-text.ts';

/** Adds sequence number and time to a chunk. Takes the fields that hooks may change from `chunk`, and all others from its block's `template`. */
export function stampChunk<C extends ChunkEvent>(scope: RunScope, chunk: C, template: C): SettledEvent<C> {
  const seq = scope.seq;
  const time = scope.settings.scheduler.now();
  scope.seq = seq + 1;
  const settled =
    chunk.decision || chunk.notes
      ? marked(redactEvent(scope, firstAbort(scope, chunk)), template, seq, time)
      : plain(chunk, template, seq, time);
  return Object.freeze(settled) as SettledEvent<C>;
}

/** Emits a stamped chunk to the consumer first, then to observers, because the consumer may cancel the source. */
export function announceChunk<C extends ChunkEvent>(
  scope: RunScope,
  chunk: C,
  settled: SettledEvent<C>,
  consumer?: StepScope['consumer'],
): void {
  scope.tracer?.settled(chunk, settled, scope);
  scope.queue(settled as SettledEvent);
  consumer?.next(settled as SettledEvent);
  scope.publish();
}

/** Emits one empty chunk if the last attempt emitted none. It retracts the output of an earlier attempt. `empty` is that chunk. */
export function emitRetracted(step: StepScope, empty: ChunkEvent): void {
  if (step.shown === 0 || step.shown >= step.attempt) return;
  step.shown = step.attempt;
  const settled = stampChunk(step.scope, empty, empty);
  announceChunk(step.scope, empty, settled, step.consumer);
}

/** The most frequent event. Listing the fields is three times faster than a spread. */
function plain(chunk: ChunkEvent, template: ChunkEvent, seq: number, time: number): object {
  const { run, iteration, attempt } = template;
  const { last } = chunk;
  if (template.type === 'actingChunk') {
    const { type, toolCall } = template;
    const { content } = chunk as ActingChunk;
    return { seq, time, type, run, iteration, toolCall, content, attempt, last };
  }
  const { type, part, block, toolCallId } = template;
  const { delta } = chunk as ReasoningChunk;
  if (toolCallId !== undefined)
    return { seq, time, type, run, iteration, part, delta, block, toolCallId, attempt, last };
  return { seq, time, type, run, iteration, part, delta, block, attempt, last };
}

function marked(chunk: ChunkEvent, template: ChunkEvent, seq: number, time: number): object {
  const { decision, notes } = chunk;
  return { ...plain(chunk, template, seq, time), ...(decision && { decision }), ...(notes && { notes }) };
}

/** Returns a chunk of the block with this template. Runs for every chunk; a spread takes twice as long. */
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
 * Returns the text of a returned chunk if at most its text changed, which is the usual case. Returns `undefined` if other fields need a check. Runs
 * for every changed chunk, so it lists the fields.
 */
export function plainText(chunk: ChunkEvent, returned: Partial<ChunkEvent> | null | undefined): string | undefined {
  if (returned === undefined || returned === null || chunk.last || returned.last !== false) return undefined;
  if (returned.run !== chunk.run || returned.iteration !== chunk.iteration || returned.attempt !== chunk.attempt)
    return undefined;
  if (chunk.decision || chunk.notes || returned.decision !== undefined || returned.notes !== undefined)
    return undefined;
  let fields = 0;
  for (const _ in returned) fields += 1;
  // An additional field may be the text under a wrong name.
  if (fields > (chunk.type === 'actingChunk' ? 7 : chunk.toolCallId === undefined ? 8 : 9)) return undefined;
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

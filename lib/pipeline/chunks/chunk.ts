import type { ActingChunk } from '../../events/acting-chunk.ts';
import type { ChunkEvent, SettledEvent } from '../../events/hook-event.ts';
import type { ReasoningChunk } from '../../events/reasoning-chunk.ts';
import { firstAbort, type RunScope } from '../run/run-scope.ts';
import type { StepScope } from '../run/step-scope.ts';
import { redactEvent, redactStep } from '../trace/redact-text.ts';

/**
 * Stamps a chunk with its place and time. Of `chunk` only what hooks may change is taken, the rest of its block's `template`.
 */
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

/** Shows a chunk that has been stamped to the consumer, and then to everybody who only watches: one of them may cut what it comes from. */
export function announceChunk<C extends ChunkEvent>(
  scope: RunScope,
  chunk: C,
  settled: SettledEvent<C>,
  consumer?: StepScope['consumer'],
): void {
  scope.tracer?.settled(chunk, settled, (step) => redactStep(scope, step));
  scope.queue(settled as SettledEvent);
  consumer?.next(settled as SettledEvent);
  scope.tell();
}

/**
 * Where the last attempt has shown nothing, one empty chunk says that what an earlier one has shown is withdrawn.
 * `empty` is that chunk.
 */
export function tellWithdrawn(step: StepScope, empty: ChunkEvent): void {
  if (step.shown === 0 || step.shown >= step.attempt) return;
  step.shown = step.attempt;
  const settled = stampChunk(step.scope, empty, empty);
  announceChunk(step.scope, empty, settled, step.consumer);
}

/** The commonest events of all, spelt out because that is three times faster than a spread. */
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
  let members = 0;
  for (const _ in returned) members += 1;
  // With one more than the chunk has, somebody may have put the text under a wrong name.
  if (members > (chunk.type === 'actingChunk' ? 7 : chunk.toolCallId === undefined ? 8 : 9)) return undefined;
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

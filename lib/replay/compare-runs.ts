import { chunkText, isChunk } from '../events/chunk-text.ts';
import type { ChunkEvent, EventType, SettledEvent } from '../events/hook-event.ts';
import type { JsonValue } from '../events/values/json-value.ts';
import { withoutUndefined } from '../events/values/without-undefined.ts';
import type { TraceStep } from '../pipeline/define/hook.ts';
import type { TraceReport } from '../pipeline/trace/tracer.ts';

/** A difference between an event of a recording and the one of its replay. */
export interface EventDifference {
  /** Position of the recorded event in its run, or of the replayed one if the recording has none. */
  readonly seq: number;
  /** Position of the replayed event, if there is one. */
  readonly replayedSeq?: number;
  readonly type: EventType;
  readonly toolCallId?: string;
  /** Path of the first different value. Empty if one of the events is missing. */
  readonly path: string;
  /** The recorded value. Absent if there is none. */
  readonly before?: JsonValue;
  /** The value of the replay. Absent if there is none. */
  readonly after?: JsonValue;
  /** The first hook whose effect on the event differs, if the trace tells. */
  readonly hook?: string;
}

/** Fields that differ in every run. */
const OWN = new Set(['run', 'time', 'durationMs', 'seq', 'attempt']);

interface Moment {
  readonly event: SettledEvent;
  readonly steps: readonly TraceStep[];
  readonly text: string;
}

/**
 * Compares two runs in the order of their events. Ids, times and the number of attempts are ignored, and chunks are compared by the text of their
 * block. Returns the differences in order. The first one is where the runs part.
 */
export function compareRuns(recorded: readonly TraceReport[], replayed: readonly TraceReport[]): EventDifference[] {
  const [a, b] = [momentsOf(recorded), momentsOf(replayed)];
  const found: EventDifference[] = [];
  for (let at = 0; at < Math.max(a.length, b.length); at += 1) {
    const difference = differenceOf(a[at], b[at]);
    if (difference) found.push(difference);
    // Events of different types are events of other steps.
    if (a[at]?.event.type !== b[at]?.event.type) break;
  }
  return found;
}

/** The events that are not chunks, each with the streamed text since the previous one. */
function momentsOf(reports: readonly TraceReport[]): readonly Moment[] {
  const moments: Moment[] = [];
  const texts = new Map<string, { readonly attempt: number; readonly parts: Map<string, string> }>();
  for (const { event, steps } of reports) {
    if (isChunk(event)) {
      const [owner, block] =
        event.type === 'actingChunk' ? [event.toolCall.id, ''] : ['reply', `${event.block} ${event.part}`];
      const known = texts.get(owner);
      // A later attempt retracts the text of earlier ones.
      const parts = known && known.attempt >= event.attempt ? known.parts : new Map<string, string>();
      parts.set(block, (parts.get(block) ?? '') + chunkText(event as SettledEvent<ChunkEvent>));
      texts.set(owner, { attempt: event.attempt, parts });
      continue;
    }
    // Each text belongs to the event that ends its block.
    const ended = event.type === 'postReasoning' ? 'reply' : event.type === 'postActing' ? event.toolCall.id : '';
    const text = [...(texts.get(ended)?.parts ?? [])].filter(([, part]) => part !== '').map(([, part]) => part);
    texts.delete(ended);
    if (event.type === 'preReasoning') texts.delete('reply');
    moments.push({ event, steps, text: text.join('\n') });
  }
  return moments;
}

function differenceOf(a: Moment | undefined, b: Moment | undefined): EventDifference | undefined {
  const { event } = (a ?? b) as Moment;
  const place = {
    ...{ seq: event.seq ?? 0, type: event.type },
    ...(b?.event.seq !== undefined && { replayedSeq: b.event.seq }),
    ...('toolCall' in event && { toolCallId: event.toolCall.id }),
  };
  if (!a || !b || a.event.type !== b.event.type)
    return { ...place, path: '', ...(a && { before: a.event.type }), ...(b && { after: b.event.type }) };
  const hook = differentHook(a.steps, b.steps);
  const by = hook === undefined ? {} : { hook };
  const keys = new Set([...Object.keys(a.event), ...Object.keys(b.event)].filter((key) => !OWN.has(key)));
  for (const key of keys) {
    const [was, is] = [a, b].map(({ event }) => (key === 'notes' ? notesOf(event) : fieldOf(event, key)));
    const found = firstDifference(was, is, key);
    if (found) return { ...place, ...found, ...by };
  }
  return a.text === b.text ? undefined : { ...place, path: 'chunks', before: a.text, after: b.text, ...by };
}

function firstDifference(
  a: unknown,
  b: unknown,
  path: string,
): Pick<EventDifference, 'path' | 'before' | 'after'> | undefined {
  if (a === b) return undefined;
  if (
    typeof a === 'object' &&
    typeof b === 'object' &&
    a !== null &&
    b !== null &&
    Array.isArray(a) === Array.isArray(b)
  ) {
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
      if (key === 'stack') continue;
      const found = firstDifference(fieldOf(a, key), fieldOf(b, key), `${path}.${key}`);
      if (found) return found;
    }
    return undefined;
  }
  return {
    path,
    ...withoutUndefined({ before: a as JsonValue | undefined, after: b as JsonValue | undefined }),
  };
}

/** The hooks that did something to the event, in order: the first one that did not do the same. */
function differentHook(a: readonly TraceStep[], b: readonly TraceStep[]): string | undefined {
  const [before, after] = [a, b].map((steps) =>
    steps.filter(({ effect }) => effect !== 'passed' && effect !== 'skipped'),
  );
  const length = Math.max(before?.length ?? 0, after?.length ?? 0);
  for (let at = 0; at < length; at += 1) {
    const [was, is] = [before?.[at], after?.[at]];
    if (was?.hook === is?.hook && effectOf(was) === effectOf(is)) continue;
    // A hook that the other side has later was not reached here: the other one acted before it.
    if (was && !after?.some(({ hook }) => hook === was.hook)) return was.hook;
    return is?.hook ?? was?.hook;
  }
  return undefined;
}

function effectOf(step: TraceStep | undefined): string {
  return JSON.stringify([step?.effect, step?.decision, step?.changes ?? step?.paths]);
}

/** Without those of the engine, which may be about input that is not recorded. */
function notesOf({ notes = [] }: SettledEvent): readonly unknown[] {
  return notes.filter(({ by }) => by !== 'engine');
}

function fieldOf(holder: object, key: string): unknown {
  return (holder as Record<string, unknown>)[key];
}

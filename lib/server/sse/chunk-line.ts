import { chunkText } from '../../events/chunk-text.ts';
import type { ChunkEvent, SettledEvent } from '../../events/hook-event.ts';
import type { TraceStep } from '../../pipeline/define/hook.ts';

/** Maximum number of characters of a line. It bounds how much is dropped or resent at once. */
const FULL = 16_384;

/** Consecutive chunks of one block, part and attempt: their joined text, and the end of each chunk in it. */
export interface ChunkLine {
  readonly kind: 'chunks';
  /** The newest chunk. The others differ only in their text, `seq` and `time`. */
  newest: SettledEvent<ChunkEvent>;
  text: string;
  readonly ends: number[];
  /** The trace steps of the chunk. A line with steps contains one chunk. */
  readonly steps?: readonly TraceStep[];
  /** Length of the steps in characters. */
  readonly stepsLength: number;
}

export function chunkLine(chunk: SettledEvent<ChunkEvent>, steps?: readonly TraceStep[]): ChunkLine {
  const text = chunkText(chunk);
  const line = { kind: 'chunks' as const, newest: chunk, text, ends: [text.length] };
  return { ...line, ...(steps && { steps }), stepsLength: lengthOfSteps(steps) };
}

/** Returns the length of trace steps as JSON, in characters. Recorded values can make it many times the length of the chunk. */
export function lengthOfSteps(steps: readonly TraceStep[] | undefined): number {
  return steps ? JSON.stringify(steps).length : 0;
}

/** Appends a chunk to a line if it belongs there. Returns whether it did. */
export function joinLine(line: ChunkLine, chunk: SettledEvent<ChunkEvent>, steps?: readonly TraceStep[]): boolean {
  if (line.steps || steps) return false;
  if (line.text.length >= FULL || !sameStrand(line.newest, chunk)) return false;
  line.text += chunkText(chunk);
  line.ends.push(line.text.length);
  line.newest = chunk;
  return true;
}

/** Joins the chunks of a line from index `from` (0 is the first) to one chunk, with `seq` and `time` of the newest. */
export function joinedChunk({ newest, text, ends }: ChunkLine, from: number): SettledEvent<ChunkEvent> {
  const rest = text.slice(from === 0 ? 0 : ends[from - 1]);
  return newest.type === 'reasoningChunk' ? { ...newest, delta: rest } : { ...newest, content: rest };
}

function sameStrand(a: SettledEvent<ChunkEvent>, b: SettledEvent<ChunkEvent>): boolean {
  if (a.last || a.run.runId !== b.run.runId || b.seq !== a.seq + 1) return false;
  if (a.iteration !== b.iteration || a.attempt !== b.attempt || isRemarkable(a) || isRemarkable(b)) return false;
  if (a.type === 'reasoningChunk')
    return b.type === a.type && a.part === b.part && a.block === b.block && a.toolCallId === b.toolCallId;
  return b.type === a.type && a.toolCall.id === b.toolCall.id;
}

/** Decisions and notes of one chunk must not appear on others. */
function isRemarkable({ decision, notes }: ChunkEvent): boolean {
  return decision !== undefined || notes !== undefined;
}

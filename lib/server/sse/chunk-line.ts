import { chunkText } from '../../events/chunk-text.ts';
import type { ChunkEvent, SettledEvent } from '../../events/hook-event.ts';
import type { TraceStep } from '../../pipeline/define/hook.ts';

/** Characters of one line, after which the next begins: what is dropped and what is cut should not be too coarse. */
const FULL = 16_384;

/** Neighbouring chunks of one block, part and attempt: their text in one, and where each of them ends in it. */
export interface ChunkLine {
  readonly kind: 'chunks';
  /** The newest of them; the others differ in their text, `seq` and `time` only. */
  newest: SettledEvent<ChunkEvent>;
  text: string;
  readonly ends: number[];
  /** What hooks did to it, where that is told; then it is one chunk. */
  readonly steps?: readonly TraceStep[];
  /** Characters that they take. */
  readonly stepsLength: number;
}

export function chunkLine(chunk: SettledEvent<ChunkEvent>, steps?: readonly TraceStep[]): ChunkLine {
  const text = chunkText(chunk);
  const line = { kind: 'chunks' as const, newest: chunk, text, ends: [text.length] };
  return { ...line, ...(steps && { steps }), stepsLength: lengthOfSteps(steps) };
}

/** What the steps of a chunk take, in characters of JSON: with values of changes many times what the chunk does. */
export function lengthOfSteps(steps: readonly TraceStep[] | undefined): number {
  return steps ? JSON.stringify(steps).length : 0;
}

/** Takes a chunk into a line, if it belongs there. */
export function joinLine(line: ChunkLine, chunk: SettledEvent<ChunkEvent>, steps?: readonly TraceStep[]): boolean {
  if (line.steps || steps) return false;
  if (line.text.length >= FULL || !sameStrand(line.newest, chunk)) return false;
  line.text += chunkText(chunk);
  line.ends.push(line.text.length);
  line.newest = chunk;
  return true;
}

/** The chunks of a line from the one at `from` (0 is the first) as one chunk, with `seq` and `time` of the newest. */
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

/** What was decided or noted on one chunk must not be told of others. */
function isRemarkable({ decision, notes }: ChunkEvent): boolean {
  return decision !== undefined || notes !== undefined;
}

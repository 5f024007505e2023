import { type ChunkLine, joinedChunk } from './chunk-line.ts';
import { eventFrame, sseFrame } from './sse-frame.ts';

/** Consecutive events in a journal. */
export type JournalEntry = Place & (ChunkLine | Gate | Hole);

/** Position of the first event in the stream, the number of events, and the id of the first. */
interface Place {
  readonly at: number;
  size: number;
  readonly id: EventId;
}

/** `seq` of the run's own event, or of the last one before the `nested`th event of a sub-agent (from 1; 0 is the run's own). */
export interface EventId {
  readonly seq: number;
  readonly nested: number;
}

interface Gate {
  readonly kind: 'gate';
  readonly frame: string;
  /** Characters of all gate events up to and including this one. */
  readonly total: number;
}

/** Dropped events. */
interface Hole {
  readonly kind: 'hole';
  readonly of: 'chunks' | 'gates';
  readonly lastId: EventId;
}

export function showId({ seq, nested }: EventId): string {
  return nested === 0 ? String(seq) : `${seq}.${nested}`;
}

/** Parses an id of `showId`; undefined if it is invalid. */
export function readId(text: string): EventId | undefined {
  const [, seq, nested] = /^(\d{1,15})(?:\.([1-9]\d{0,14}))?$/.exec(text) ?? [];
  return seq === undefined ? undefined : { seq: Number(seq), nested: Number(nested ?? 0) };
}

/** Negative if `a` precedes `b`. */
export function compareIds(a: EventId, b: EventId): number {
  return a.seq - b.seq || a.nested - b.nested;
}

function lastIdOf(entry: JournalEntry): EventId {
  if (entry.kind === 'hole') return entry.lastId;
  const { seq, nested } = entry.id;
  return nested === 0 ? { seq: seq + entry.size - 1, nested } : { seq, nested: nested + entry.size - 1 };
}

/** Whether the entry may contain this id. The entry is the last one that does not begin later. The ids in a hole are unknown. */
export function mayHold(entry: JournalEntry, id: EventId): boolean {
  if (entry.kind === 'hole') return true;
  return entry.id.nested > 0 === id.nested > 0 && compareIds(id, lastIdOf(entry)) <= 0;
}

/** Returns how many events of an entry precede or have this id. For a hole the number may be too low, so that more events are reported as lost. */
export function countUpTo(entry: JournalEntry, { seq, nested }: EventId): number {
  const { id, size } = entry;
  const behind = compareIds({ seq, nested }, lastIdOf(entry)) >= 0;
  if (behind || seq > id.seq + size) return size;
  return Math.min(size, 1 + (id.nested > 0 ? nested - id.nested : seq - id.seq));
}

/** Returns the frame of the events of an entry from `index`. */
export function entryFrame(entry: JournalEntry, index: number): string {
  const id = showId(lastIdOf(entry));
  if (entry.kind === 'gate') return entry.frame;
  if (entry.kind === 'hole') return sseFrame('lost', JSON.stringify({ [entry.of]: entry.size - index }), id);
  const chunk = joinedChunk(entry, index);
  return eventFrame(chunk, id, entry.steps);
}

/** Returns the size of an entry in characters. A chunk line also stores its newest event, and the end of each chunk. */
export function entryCost(entry: JournalEntry): number {
  if (entry.kind === 'gate') return entry.frame.length;
  return entry.kind === 'hole' ? 0 : 300 + entry.text.length + 4 * entry.size + entry.stepsLength;
}

/** Returns the hole that replaces a dropped entry. */
export function holeOf(entry: JournalEntry, of: 'chunks' | 'gates'): JournalEntry {
  return { kind: 'hole', of, at: entry.at, size: entry.size, id: entry.id, lastId: lastIdOf(entry) };
}

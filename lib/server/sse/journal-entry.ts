import { type ChunkLine, joinedChunk } from './chunk-line.ts';
import { eventFrame, sseFrame } from './sse-frame.ts';

/** Some events in a row, as a journal keeps them. */
export type JournalEntry = Place & (ChunkLine | Gate | Hole);

/** Where events stand: the place of the first in the whole stream, how many there are, and the id of the first. */
interface Place {
  readonly at: number;
  size: number;
  readonly id: EventId;
}

/** `seq` of the run's own event, or of its last one before the `nested`th event of a sub-agent (from 1; 0 is the run's own). */
export interface EventId {
  readonly seq: number;
  readonly nested: number;
}

interface Gate {
  readonly kind: 'gate';
  readonly frame: string;
  /** Characters of all gates up to this one. */
  readonly total: number;
}

/** Events that the journal had no room for. */
interface Hole {
  readonly kind: 'hole';
  readonly of: 'chunks' | 'gates';
  readonly lastId: EventId;
}

export function showId({ seq, nested }: EventId): string {
  return nested === 0 ? String(seq) : `${seq}.${nested}`;
}

/** Reads what `showId` has written; undefined where it is something else. */
export function readId(text: string): EventId | undefined {
  const [, seq, nested] = /^(\d{1,15})(?:\.([1-9]\d{0,14}))?$/.exec(text) ?? [];
  return seq === undefined ? undefined : { seq: Number(seq), nested: Number(nested ?? 0) };
}

/** Below 0 where `a` came before `b`. */
export function compareIds(a: EventId, b: EventId): number {
  return a.seq - b.seq || a.nested - b.nested;
}

/** The id of the last event of an entry. */
export function lastIdOf(entry: JournalEntry): EventId {
  if (entry.kind === 'hole') return entry.lastId;
  const { seq, nested } = entry.id;
  return nested === 0 ? { seq: seq + entry.size - 1, nested } : { seq, nested: nested + entry.size - 1 };
}

/** Whether an event of an entry, the last one that does not begin later, has that id. Of a hole nobody knows. */
export function mayHold(entry: JournalEntry, id: EventId): boolean {
  if (entry.kind === 'hole') return true;
  return entry.id.nested > 0 === id.nested > 0 && compareIds(id, lastIdOf(entry)) <= 0;
}

/** How many events of an entry come up to the one with that id. Of a hole it may be fewer than it had: rather too much is told as lost. */
export function countUpTo(entry: JournalEntry, { seq, nested }: EventId): number {
  const { id, size } = entry;
  const behind = compareIds({ seq, nested }, lastIdOf(entry)) >= 0;
  if (behind || seq > id.seq + size) return size;
  return Math.min(size, 1 + (id.nested > 0 ? nested - id.nested : seq - id.seq));
}

/** What a client is sent for the events of an entry from `index` on. */
export function entryFrame(entry: JournalEntry, index: number): string {
  const id = showId(lastIdOf(entry));
  if (entry.kind === 'gate') return entry.frame;
  if (entry.kind === 'hole') return sseFrame('lost', JSON.stringify({ [entry.of]: entry.size - index }), id);
  const chunk = joinedChunk(entry, index);
  return eventFrame(chunk, id, entry.steps);
}

/** What an entry takes, in characters; a line of chunks also keeps its newest event and where each one ends. */
export function entryCost(entry: JournalEntry): number {
  if (entry.kind === 'gate') return entry.frame.length;
  return entry.kind === 'hole' ? 0 : 300 + entry.text.length + 4 * entry.size + entry.stepsLength;
}

/** What is left of an entry that there is no room for. */
export function holeOf(entry: JournalEntry, of: 'chunks' | 'gates'): JournalEntry {
  return { kind: 'hole', of, at: entry.at, size: entry.size, id: entry.id, lastId: lastIdOf(entry) };
}

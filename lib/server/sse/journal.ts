import { isChunk } from '../../events/chunk-text.ts';
import type { SettledEvent } from '../../events/hook-event.ts';
import type { TraceStep } from '../../pipeline/define/hook.ts';
import { chunkLine, joinLine } from './chunk-line.ts';
import {
  compareIds,
  countUpTo,
  type EventId,
  entryCost,
  entryFrame,
  holeOf,
  type JournalEntry,
  mayHold,
  readId,
  showId,
} from './journal-entry.ts';
import { type RecentChunk, RecentFrames } from './recent-frames.ts';
import { eventFrame, sseFrame } from './sse-frame.ts';

/** Limits of a journal, in characters. */
export interface JournalLimits {
  /** Limit of chunk text. The oldest chunks are dropped. */
  readonly chunks: number;
  /** Limit of all other events. The oldest ones are dropped. */
  readonly gates: number;
}

/** One piece of a stream, and the position after it. */
export interface Batch {
  readonly bytes: Uint8Array;
  readonly to: number;
  /** Characters of gate events up to this position. */
  readonly gates: number;
}

const BATCH = 65_536;
/** Share of the chunk limit for events that are not joined. */
const RECENT_SHARE = 0.25;
const SHARED_LENGTH = 1_048_576;

/**
 * The events of one run, for clients that disconnect, fall behind and reconnect. Clients that keep up get each event. Older chunks are joined, then
 * dropped if the limit is reached. Clients receive the number of dropped events. A batch is encoded once for all clients at the same position.
 */
export class Journal {
  closed = false;
  #watched = false;
  #end = 0;
  #gates = 0;
  #lastId: EventId = { seq: 0, nested: 0 };
  #remark = '';
  #entries: JournalEntry[] = [];
  #kept = { chunks: 0, gates: 0 };
  #batchesLength = 0;
  readonly #runId: string;
  readonly #limits: JournalLimits;
  readonly #recent: RecentFrames;
  readonly #encoder = new TextEncoder();
  readonly #batches = new Map<number, Batch>();

  constructor(runId: string, limits: JournalLimits) {
    this.#runId = runId;
    this.#limits = limits;
    this.#recent = new RecentFrames(RECENT_SHARE * limits.chunks);
  }

  /** Whether a client keeps up, so that events are encoded when they arrive. */
  set watched(watched: boolean) {
    this.#watched = watched;
    if (watched) return;
    this.#recent.clear();
    this.#batches.clear();
    this.#batchesLength = 0;
  }

  /** The number of events so far. */
  get end(): number {
    return this.#end;
  }

  /** Size of the stored events, in characters. */
  get size(): number {
    return this.#kept.chunks + this.#kept.gates;
  }

  /** Characters of all gate events so far. */
  get gates(): number {
    return this.#gates;
  }

  /**
   * Adds an event. Its trace steps are sent first, so that a client that disconnects between them gets both again. A chunk with steps is not joined.
   */
  append(event: SettledEvent, steps?: readonly TraceStep[]): void {
    const own = event.run.runId === this.#runId;
    const id = own ? { seq: event.seq, nested: 0 } : { ...this.#lastId, nested: this.#lastId.nested + 1 };
    const frame = isChunk(event) ? { event, id, steps } : eventFrame(event, showId(id), steps);
    if (typeof frame !== 'string') this.#addChunk(frame);
    else {
      this.#gates += frame.length;
      this.#add({ kind: 'gate', frame, total: this.#gates, at: this.#end, size: 1, id });
    }
    this.#lastId = id;
    this.#end += 1;
    if (this.#watched) this.#recent.add(frame);
  }

  /** Records events that are lost. */
  lose(of: 'chunks' | 'gates', count: number): void {
    this.#add({ kind: 'hole', of, at: this.#end, size: count, id: this.#lastId, lastId: this.#lastId });
    this.#end += count;
  }

  /** Ends the journal. Clients that have read all events still receive the remark. */
  close(): void {
    this.closed = true;
  }

  setRemark(event: string, data: object): void {
    this.#remark = sseFrame(event, JSON.stringify(data), `${showId(this.#lastId)}+`);
  }

  /** Returns the batch at a position; undefined if there is none (yet). */
  read(from: number): Batch | undefined {
    if (from > this.#end || (from === this.#end && !(this.closed && this.#remark))) return undefined;
    if (from === this.#end) return this.#encoded(this.#remark, this.#end + 1, this.#gates);
    const known = this.#batches.get(from);
    if (known) return known;
    const batch = from >= this.#end - this.#recent.length ? this.#fromRecent(from) : this.#fromEntries(from);
    this.#share(from, batch);
    return batch;
  }

  /** Whether a client at this position has received everything. */
  isOver(place: number): boolean {
    return this.closed && place >= this.#end && !this.read(place);
  }

  /** Returns the position after the event with this id; undefined if there is no such event. */
  placeAfter(text: string): number | undefined {
    if (text === `${showId(this.#lastId)}+`) return this.#end + 1;
    const id = readId(text);
    if (!id || this.#end === 0 || compareIds(id, this.#lastId) > 0) return undefined;
    const index = this.#entries.findLastIndex((entry) => compareIds(entry.id, id) <= 0);
    const entry = this.#entries[index];
    return entry && mayHold(entry, id) ? entry.at + countUpTo(entry, id) : undefined;
  }

  #addChunk({ event, id, steps }: RecentChunk): void {
    const line = this.#entries.at(-1);
    if (line?.kind === 'chunks') {
      const before = entryCost(line);
      if (joinLine(line, event, steps)) {
        line.size += 1;
        this.#charge('chunks', entryCost(line) - before);
        return;
      }
    }
    this.#add({ ...chunkLine(event, steps), at: this.#end, size: 1, id });
  }

  #add(entry: JournalEntry): void {
    this.#entries.push(entry);
    if (entry.kind !== 'hole') this.#charge(entry.kind === 'gate' ? 'gates' : 'chunks', entryCost(entry));
  }

  #charge(what: 'chunks' | 'gates', cost: number): void {
    this.#kept[what] += cost;
    if (this.#kept[what] > this.#limits[what]) this.#drop(what);
  }

  /** Drops a quarter of the limit, so that not every event causes a drop. Never drops the newest entry. */
  #drop(what: 'chunks' | 'gates'): void {
    const kind = what === 'gates' ? 'gate' : 'chunks';
    const entries: JournalEntry[] = [];
    const newest = this.#entries.at(-1);
    for (const entry of this.#entries) {
      const stays = entry.kind !== kind || entry === newest || this.#kept[what] <= 0.75 * this.#limits[what];
      if (!stays) this.#kept[what] -= entryCost(entry);
      const kept = stays ? entry : holeOf(entry, what);
      const before = entries.at(-1);
      if (kept.kind === 'hole' && before?.kind === 'hole' && before.of === kept.of) {
        entries[entries.length - 1] = { ...before, size: before.size + kept.size, lastId: kept.lastId };
      } else entries.push(kept);
    }
    this.#entries = entries;
  }

  #share(from: number, batch: Batch): void {
    this.#batches.set(from, batch);
    this.#batchesLength += batch.bytes.length;
    for (const [place, { bytes }] of this.#batches) {
      if (this.#batchesLength <= SHARED_LENGTH || place === from) break;
      this.#batches.delete(place);
      this.#batchesLength -= bytes.length;
    }
  }

  #fromRecent(from: number): Batch {
    const first = this.#recent.length - (this.#end - from);
    const frames: string[] = [];
    let length = 0;
    for (let index = first; index < this.#recent.length && length < BATCH; index++) {
      const frame = this.#recent.frame(index);
      frames.push(frame);
      length += frame.length;
    }
    const to = from + frames.length;
    return this.#encoded(frames.join(''), to, this.gatesBefore(to));
  }

  #fromEntries(from: number): Batch {
    let index = this.#entries.findLastIndex(({ at }) => at <= from);
    let text = '';
    let to = from;
    while (index < this.#entries.length && text.length < BATCH) {
      const entry = this.#entries[index] as JournalEntry;
      text += entryFrame(entry, Math.max(0, from - entry.at));
      to = entry.at + entry.size;
      index += 1;
    }
    return this.#encoded(text, to, this.gatesBefore(to));
  }

  gatesBefore(place: number): number {
    if (place === this.#end) return this.#gates;
    const gate = this.#entries.findLast(({ kind, at }) => kind === 'gate' && at < place);
    return gate?.kind === 'gate' ? gate.total : 0;
  }

  #encoded(text: string, to: number, gates: number): Batch {
    return { bytes: this.#encoder.encode(text), to, gates };
  }
}

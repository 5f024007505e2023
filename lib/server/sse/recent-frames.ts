import { chunkText } from '../../events/chunk-text.ts';
import type { ChunkEvent, SettledEvent } from '../../events/hook-event.ts';
import type { TraceStep } from '../../pipeline/define/hook.ts';
import { lengthOfSteps } from './chunk-line.ts';
import { type EventId, showId } from './journal-entry.ts';
import { eventFrame } from './sse-frame.ts';

/** A chunk that no client has read yet. */
export interface RecentChunk {
  readonly event: SettledEvent<ChunkEvent>;
  readonly id: EventId;
  readonly steps: readonly TraceStep[] | undefined;
}

const MOST_FRAMES = 2_048;

/** The newest events, not joined, for clients that keep up. */
export class RecentFrames {
  #frames: (string | RecentChunk)[] = [];
  #characters = 0;
  readonly #most: number;

  /** `most` is the maximum number of characters. */
  constructor(most: number) {
    this.#most = most;
  }

  get length(): number {
    return this.#frames.length;
  }

  add(frame: string | RecentChunk): void {
    this.#frames.push(frame);
    this.#characters += lengthOf(frame);
    if (this.#frames.length <= MOST_FRAMES && this.#characters <= this.#most) return;
    const half = this.#frames.slice(-Math.ceil(this.#frames.length / 2));
    this.#characters = half.reduce((sum, one) => sum + lengthOf(one), 0);
    this.#frames = half;
    // The newest half may still exceed the limit if its events are large.
    if (this.#characters > this.#most) this.clear();
  }

  /**
   * Returns the frame at an index (0 is the oldest). A chunk is encoded when it is first read, once for all clients, so that its run does not wait.
   */
  frame(index: number): string {
    const known = this.#frames[index] as string | RecentChunk;
    if (typeof known === 'string') return known;
    const frame = eventFrame(known.event, showId(known.id), known.steps);
    this.#frames[index] = frame;
    return frame;
  }

  clear(): void {
    this.#frames = [];
    this.#characters = 0;
  }
}

/** Estimates the length of a chunk that is not encoded. */
function lengthOf(frame: string | RecentChunk): number {
  return typeof frame === 'string' ? frame.length : 300 + chunkText(frame.event).length + lengthOfSteps(frame.steps);
}

import { chunkText } from '../../events/chunk-text.ts';
import type { ChunkEvent, SettledEvent } from '../../events/hook-event.ts';
import type { TraceStep } from '../../pipeline/define/hook.ts';
import { lengthOfSteps } from './chunk-line.ts';
import { type EventId, showId } from './journal-entry.ts';
import { eventFrame } from './sse-frame.ts';

/** A chunk that nobody has read yet. */
export interface HeardChunk {
  readonly event: SettledEvent<ChunkEvent>;
  readonly id: EventId;
  readonly steps: readonly TraceStep[] | undefined;
}

const MOST_FRAMES = 2_048;

/** The newest events as they came, each by itself, for whoever keeps up. */
export class RecentFrames {
  #frames: (string | HeardChunk)[] = [];
  #characters = 0;
  readonly #most: number;

  /** `most` characters are kept. */
  constructor(most: number) {
    this.#most = most;
  }

  get length(): number {
    return this.#frames.length;
  }

  add(frame: string | HeardChunk): void {
    this.#frames.push(frame);
    this.#characters += lengthOf(frame);
    if (this.#frames.length <= MOST_FRAMES && this.#characters <= this.#most) return;
    const half = this.#frames.slice(-Math.ceil(this.#frames.length / 2));
    this.#characters = half.reduce((sum, one) => sum + lengthOf(one), 0);
    this.#frames = half;
    // A few large ones.
    if (this.#characters > this.#most) this.clear();
  }

  /** The frame at a place, 0 is the oldest. A chunk is encoded when it is read first, once for all: its run must not wait for that. */
  frame(index: number): string {
    const known = this.#frames[index] as string | HeardChunk;
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

/** Before a chunk is encoded, about what it will take. */
function lengthOf(frame: string | HeardChunk): number {
  return typeof frame === 'string' ? frame.length : 300 + chunkText(frame.event).length + lengthOfSteps(frame.steps);
}

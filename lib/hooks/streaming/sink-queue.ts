import { defaultIfEmpty, from, isObservable, lastValueFrom } from 'rxjs';
import { isThenable } from '../../events/values/is-async.ts';
import type { StreamPiece, StreamSink } from './stream-piece.ts';

/** Pieces that wait for a sink, which gets one at a time. */
export interface SinkQueue {
  /** `block` is the same object for all pieces of a block, and for no others. */
  add(piece: StreamPiece, block: object): void;
  /** Resolves when the sink has had all of them. */
  drained(): Promise<void>;
  /** Whether the sink is at work. */
  readonly busy: boolean;
  /** How many characters are lost, because there was no room, or the sink failed. */
  readonly lost: number;
}

/** How a queue works. */
export interface SinkQueueOptions {
  readonly sink: StreamSink;
  readonly mode: 'incremental' | 'cumulative';
  readonly maxWaitingChars: number;
  /** The sink has failed, or is too slow; told when it begins. */
  failed(thrown: unknown): void;
}

interface Waiting {
  piece: StreamPiece;
  readonly block: object;
  /** How long the text of a cumulative block is, of which the piece may have less. */
  whole: number;
}

/**
 * Makes a queue. What waits is joined by block, so that a slow sink gets fewer and larger pieces. A cumulative piece says again what those
 * before it said: something is lost only where a block ends without it.
 */
export function createSinkQueue({ sink, mode, maxWaitingChars, failed }: SinkQueueOptions): SinkQueue {
  /** By block; one that goes on after a loss has another piece, which says so. */
  const waiting: Waiting[] = [];
  const lastOf = new Map<object, Waiting>();
  /** What a block has lost and nobody was told of. */
  const lostOf = new WeakMap<object, number>();
  /** How much of a cumulative block the sink has. */
  const had = new WeakMap<object, number>();
  let chars = 0;
  let busy = false;
  let lost = 0;
  let failing = false;
  const waiters: (() => void)[] = [];

  function lose(count: number, why: unknown): void {
    lost += count;
    if (!failing) failed(why);
    failing = true;
  }

  function put(piece: StreamPiece, block: object, before: Waiting | undefined, whole = piece.text.length): void {
    chars += piece.text.length - (before?.piece.text.length ?? 0);
    const next = before ?? { piece, block, whole };
    Object.assign(next, { piece, whole });
    if (!before) waiting.push(next);
    lastOf.set(block, next);
  }

  function take(piece: StreamPiece, block: object): void {
    const gap = lostOf.get(block) ?? 0;
    const before = gap === 0 ? lastOf.get(block) : undefined;
    const known = before?.piece.text ?? '';
    const text = mode === 'incremental' ? known + piece.text : piece.text;
    if (chars + text.length - known.length <= maxWaitingChars) {
      const told = before?.piece.lost ?? gap;
      lostOf.delete(block);
      put({ ...piece, text, ...(told > 0 && { lost: told }) }, block, before);
      return;
    }
    if (mode === 'cumulative') {
      // The next piece says it too; whether there is one is seen at the end.
      if (piece.last) put({ ...piece, text: known }, block, before, text.length);
      return;
    }
    lostOf.set(block, gap + piece.text.length);
    lose(piece.text.length, tooMuch());
    // The end of a block is told in any case.
    if (piece.last) put({ ...piece, text: '', lost: gap + piece.text.length }, block, undefined);
  }

  const tooMuch = () => new Error(`more than ${maxWaitingChars} characters wait for the sink, and more are lost`);

  /** The piece with what its block has lost for good, where it is the last of a cumulative one. */
  function ending({ piece, block, whole }: Waiting): StreamPiece {
    const missing = whole - Math.max(piece.text.length, had.get(block) ?? 0);
    if (mode === 'incremental' || !piece.last || missing <= 0) return piece;
    lose(missing, tooMuch());
    return { ...piece, lost: missing };
  }

  function work(): void {
    while (!busy) {
      const next = waiting.shift();
      if (!next) break;
      if (lastOf.get(next.block) === next) lastOf.delete(next.block);
      chars -= next.piece.text.length;
      try {
        const given = sink(ending(next));
        if (isThenable(given) || isObservable(given)) wait(given, next);
        else reached(next);
      } catch (thrown) {
        missed(next, thrown);
      }
    }
    if (busy) return;
    for (const tell of waiters.splice(0)) tell();
  }

  function reached({ piece, block }: Waiting): void {
    had.set(block, piece.text.length);
    failing = false;
  }

  function missed({ piece, block }: Waiting, why: unknown): void {
    if (mode === 'incremental') lose(piece.text.length, why);
    else lose(piece.last ? Math.max(0, piece.text.length - (had.get(block) ?? 0)) : 0, why);
  }

  function wait(given: Parameters<typeof from>[0], next: Waiting): void {
    busy = true;
    lastValueFrom(from(given).pipe(defaultIfEmpty(undefined)))
      .then(
        () => reached(next),
        (thrown) => missed(next, thrown),
      )
      .then(() => {
        busy = false;
        work();
      });
  }

  return {
    add(piece, block) {
      take(piece, block);
      work();
    },
    drained: () => (busy ? new Promise((resolve) => waiters.push(resolve)) : Promise.resolve()),
    get busy() {
      return busy;
    },
    get lost() {
      return lost;
    },
  };
}

import { defaultIfEmpty, from, isObservable, lastValueFrom } from 'rxjs';
import { Fifo } from '../../events/values/fifo.ts';
import { isThenable } from '../../events/values/is-async.ts';
import type { StreamPiece, StreamSink } from './stream-piece.ts';

/** A queue of pieces for a sink, which gets one at a time. */
export interface SinkQueue {
  /** `block` is the same object for all pieces of a block, and only for these. */
  add(piece: StreamPiece, block: object): void;
  /** Resolves when the sink has processed all pieces. */
  drained(): Promise<void>;
  /** Whether the sink is processing a piece. */
  readonly busy: boolean;
  /** The number of characters lost because the queue was full or the sink failed. */
  readonly lost: number;
}

export interface SinkQueueOptions {
  readonly sink: StreamSink;
  readonly mode: 'incremental' | 'cumulative';
  readonly maxWaitingChars: number;
  /** Called once per series of failures: the sink failed or is too slow. */
  failed(thrown: unknown): void;
}

interface Waiting {
  piece: StreamPiece;
  readonly block: object;
  /** The length of the text of a cumulative block. The piece may contain less. */
  whole: number;
}

/**
 * Creates a queue. Waiting text is joined by block, so a slow sink gets fewer and larger pieces. A cumulative piece repeats the previous ones, so
 * text is lost only if a block ends without it.
 */
export function createSinkQueue({ sink, mode, maxWaitingChars, failed }: SinkQueueOptions): SinkQueue {
  /** By block. A block that continues after a loss gets another piece, which reports the loss. */
  const waiting = new Fifo<Waiting>();
  const lastOf = new Map<object, Waiting>();
  /** The unreported loss of a block. */
  const lostOf = new WeakMap<object, number>();
  /** The length of a cumulative block that the sink has received. */
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
      const lost = before?.piece.lost ?? gap;
      lostOf.delete(block);
      put({ ...piece, text, ...(lost > 0 && { lost }) }, block, before);
      return;
    }
    if (mode === 'cumulative') {
      // The next piece contains it, too. The end of the block shows whether there is one.
      if (piece.last) put({ ...piece, text: known }, block, before, text.length);
      return;
    }
    lostOf.set(block, gap + piece.text.length);
    lose(piece.text.length, tooMuch());
    // The end of a block is always reported.
    if (piece.last) put({ ...piece, text: '', lost: gap + piece.text.length }, block, undefined);
  }

  const tooMuch = () =>
    new Error(`more than ${maxWaitingChars} characters are queued for the sink; further text is dropped`);

  /** Adds the final loss of its block to the last piece of a cumulative one. */
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
    for (const waiter of waiters.splice(0)) waiter();
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

import { defaultIfEmpty, from, isObservable, lastValueFrom } from 'rxjs';
import { isThenable } from '../../pipeline/flow/is-async.ts';
import type { StreamPiece, StreamSink } from './stream-piece.ts';

/** Pieces that wait for a sink, which gets one at a time. */
export interface SinkQueue {
  add(piece: StreamPiece): void;
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

/** Makes a queue. What waits is joined by block, so that a slow sink gets fewer and larger pieces. */
export function createSinkQueue({ sink, mode, maxWaitingChars, failed }: SinkQueueOptions): SinkQueue {
  const waiting: StreamPiece[] = [];
  let chars = 0;
  let busy = false;
  let lost = 0;
  let lostBefore = 0;
  let failing = false;
  const waiters: (() => void)[] = [];

  function lose(count: number, why: unknown): void {
    lost += count;
    if (!failing) failed(why);
    failing = true;
  }

  /** The piece that waits last, if this one goes on with it. */
  function tailFor(piece: StreamPiece): StreamPiece | undefined {
    const tail = waiting.at(-1);
    const same = tail?.run === piece.run && tail.block === piece.block && tail.attempt === piece.attempt;
    return same && lostBefore === 0 ? tail : undefined;
  }

  function take(piece: StreamPiece): void {
    const tail = tailFor(piece);
    const text = tail && mode === 'incremental' ? tail.text + piece.text : piece.text;
    const more = text.length - (tail?.text.length ?? 0);
    if (chars + more <= maxWaitingChars) {
      if (tail) waiting.pop();
      chars += more;
      const before = tail?.lost ?? lostBefore;
      waiting.push({ ...piece, text, ...(before > 0 && { lost: before }) });
      lostBefore = 0;
      return;
    }
    lostBefore += piece.text.length;
    lose(piece.text.length, new Error(`more than ${maxWaitingChars} characters wait for the sink, and more are lost`));
    if (!piece.last) return;
    // The end of a block is told in any case.
    waiting.push({ ...piece, text: '', lost: lostBefore });
    lostBefore = 0;
  }

  function work(): void {
    while (!busy) {
      const piece = waiting.shift();
      if (!piece) break;
      chars -= piece.text.length;
      try {
        const given = sink(piece);
        if (isThenable(given) || isObservable(given)) wait(given, piece);
        else failing = false;
      } catch (thrown) {
        lose(piece.text.length, thrown);
      }
    }
    if (busy) return;
    for (const tell of waiters.splice(0)) tell();
  }

  function wait(given: Parameters<typeof from>[0], piece: StreamPiece): void {
    busy = true;
    lastValueFrom(from(given).pipe(defaultIfEmpty(undefined)))
      .then(
        () => {
          failing = false;
        },
        (thrown) => lose(piece.text.length, thrown),
      )
      .then(() => {
        busy = false;
        work();
      });
  }

  return {
    add(piece) {
      take(piece);
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

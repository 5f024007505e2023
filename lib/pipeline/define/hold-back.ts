import { Observable, type OperatorFunction } from 'rxjs';
import { HooklineError } from '../../errors.ts';
import { chunkText, withText } from '../../events/chunk-text.ts';
import type { ChunkEvent } from '../../events/hook-event.ts';

/**
 * How many characters of `text`, all that is held back, may go now. `end` is true when no more will come: what is still held then never
 * goes.
 */
export type HoldBackScan = (text: string, end: boolean) => number;

/**
 * An operator for `through` that keeps the text of a block until it is known to be harmless. Text goes as `scan` lets it, in order; nothing
 * that is held back leaves when the stream fails or is cancelled. A scan that gives no whole number from 0 to the length of the text fails
 * the stream.
 */
export function holdBack<C extends ChunkEvent>(scan: HoldBackScan): OperatorFunction<C, C> {
  return rewriteChunks(() => {
    let held = '';
    let latest: C | undefined;

    const release = (end: boolean): string => {
      const count = scan(held, end);
      if (!Number.isInteger(count) || count < 0 || count > held.length) {
        const fault = `its scan gave ${String(count)} for a text of ${held.length} characters`;
        throw new HooklineError('HOOK_CONTRACT', `holdBack(scan): ${fault}; it must give how many of them may go.`);
      }
      const free = held.slice(0, count);
      held = held.slice(count);
      return free;
    };

    const take = (chunk: C): readonly C[] => {
      latest = chunk;
      const text = chunkText(chunk);
      held += text;
      const free = release(false);
      if (free === text) return [chunk];
      // What hooks have put on the chunk goes with it, whether or not its text does.
      return free !== '' || chunk.decision || chunk.notes ? [withText(chunk, free)] : [];
    };

    const rest = (): readonly C[] => {
      const free = held === '' ? '' : release(true);
      if (free === '' || !latest) return [];
      const { notes: _, decision: __, ...last } = latest;
      return [withText(last as C, free)];
    };

    return { take, rest };
  });
}

/** What becomes of the chunks of one block. */
interface ChunkRewriter<C extends ChunkEvent> {
  /** What goes on in the place of a chunk. */
  take(chunk: C): readonly C[];
  /** What goes on when no more will come. */
  rest(): readonly C[];
}

/**
 * An operator that sends on what a rewriter makes of the chunks of a block; what that throws fails the stream. `concatMap` would do, but
 * subscribes to what it is given for each: a scanned chunk would cost half as much again.
 */
export function rewriteChunks<C extends ChunkEvent>(open: () => ChunkRewriter<C>): OperatorFunction<C, C> {
  return (chunks$) =>
    new Observable((subscriber) => {
      const rewriter = open();
      const send = (give: () => readonly C[]): void => {
        if (subscriber.closed) return;
        try {
          for (const chunk of give()) subscriber.next(chunk);
        } catch (thrown) {
          subscriber.error(thrown);
        }
      };
      return chunks$.subscribe({
        next: (chunk) => send(() => rewriter.take(chunk)),
        error: (thrown) => subscriber.error(thrown),
        complete() {
          send(() => rewriter.rest());
          subscriber.complete();
        },
      });
    });
}

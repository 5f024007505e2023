import { Observable, type OperatorFunction } from 'rxjs';
import { HooklineError } from '../../errors.ts';
import { chunkText, withText } from '../../events/chunk-text.ts';
import type { ChunkEvent } from '../../events/hook-event.ts';

/** Returns how many characters of the held-back `text` may be released. If `end` is true, no text follows, and the rest is never released. */
export type HoldBackScan = (text: string, end: boolean) => number;

/**
 * An operator for `through` that holds back the text of a block until `scan` releases it, in order. Held-back text is dropped if the stream fails or
 * is cancelled. If `scan` does not return an integer from 0 to the length of the text, the stream fails.
 */
export function holdBack<C extends ChunkEvent>(scan: HoldBackScan): OperatorFunction<C, C> {
  return rewriteChunks(() => {
    let held = '';
    let latest: C | undefined;

    const release = (end: boolean): string => {
      const count = scan(held, end);
      if (!Number.isInteger(count) || count < 0 || count > held.length) {
        const issue = `its scan gave ${String(count)} for a text of ${held.length} characters`;
        throw new HooklineError('HOOK_CONTRACT', `holdBack(scan): ${issue}; it must give how many of them may go.`);
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
      // A decision and notes on the chunk are forwarded even if its text is held back.
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

/** Rewrites the chunks of one block. */
interface ChunkRewriter<C extends ChunkEvent> {
  /** Returns the chunks that replace a chunk. */
  take(chunk: C): readonly C[];
  /** Returns the chunks to emit at the end. */
  rest(): readonly C[];
}

/**
 * An operator that emits the chunks that a rewriter returns. An error of the rewriter fails the stream. `concatMap` subscribes once per chunk, so a
 * scanned chunk would take half as much time again.
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

import { concatMap, type Observable, type OperatorFunction, of, tap } from 'rxjs';
import { chunkText } from '../../events/chunk-text.ts';
import type { ChunkEvent } from '../../events/hook-event.ts';
import { holdBack } from '../../pipeline/define/hold-back.ts';
import { sentenceEnd } from './sentence-end.ts';

/** So much of what has passed is told to the judge. */
const BEFORE_CHARS = 2_000;

/** How the chunks of a block are judged. */
export interface JudgedChunks<C extends ChunkEvent> {
  /** How much text is judged at a time, at least; `Infinity`: all of it, when it is whole. */
  readonly minChars: number;
  /** Whether the block of this chunk is judged at all. */
  applies(chunk: C): boolean;
  /** What goes on in the place of a chunk, before which `before` has passed. */
  judge(chunk: C, text: string, before: string): Observable<C>;
}

/** Judges the text of a block in whole sentences; what has not been judged is held back. */
export function judgeChunks<C extends ChunkEvent>({
  minChars,
  applies,
  judge,
}: JudgedChunks<C>): OperatorFunction<C, C> {
  const wait = sentenceEnd(minChars);
  return (chunks$) => {
    let judged = true;
    let before = '';
    return chunks$.pipe(
      tap((chunk) => {
        judged = applies(chunk);
      }),
      holdBack<C>((text, end) => (judged ? wait(text, end) : text.length)),
      concatMap((chunk) => {
        const text = chunkText(chunk);
        if (!judged || text === '') return of(chunk);
        return judge(chunk, text, before).pipe(
          tap((next) => {
            before = (before + chunkText(next)).slice(-BEFORE_CHARS);
          }),
        );
      }),
    );
  };
}

import { concatMap, type Observable, type OperatorFunction, of, tap } from 'rxjs';
import { chunkText } from '../../events/chunk-text.ts';
import type { ChunkEvent } from '../../events/hook-event.ts';
import { holdBack } from '../../pipeline/define/hold-back.ts';
import { sentenceEnd } from './sentence-end.ts';

/** The number of passed characters to include in a request to the judge. */
const BEFORE_CHARS = 2_000;

/** How the chunks of a block are judged. */
export interface JudgedChunks<C extends ChunkEvent> {
  /** The minimum number of characters to judge at a time. `Infinity`: the whole text at the end. */
  readonly minChars: number;
  /** Whether to judge the block of this chunk. */
  applies(chunk: C): boolean;
  /** Returns the replacement of a chunk. `before` is the text that has passed. */
  judge(chunk: C, text: string, before: string): Observable<C>;
}

/** Judges the text of a block in complete sentences, and holds back text that is not judged yet. */
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

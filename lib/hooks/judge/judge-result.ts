import { concatMap, from, map, type Observable, takeWhile, toArray } from 'rxjs';
import type { ToolResult } from '../../events/parts/tool-result.ts';
import type { Ruling } from './judgement.ts';

/** What became of a text. `other` goes on in its place; undefined: nothing may. */
export interface SettledText {
  readonly text: string;
  readonly other: string | undefined;
  /** Why it does not pass. */
  readonly ruling?: Ruling;
}

/** What became of a result. */
export interface SettledResult {
  /** The same object where nothing of it was changed. */
  readonly result: ToolResult;
  /** One for each text that does not pass and goes on all the same. */
  readonly rulings: readonly Ruling[];
  /** Why none of it may go on. */
  readonly refused?: Ruling | undefined;
}

/** Has judged what a result says to the model and to the user: each text once, and none after one that is refused. */
export function judgeResult(
  result: ToolResult,
  judgeText: (text: string) => Observable<SettledText>,
): Observable<SettledResult> {
  const { content, forUser } = result;
  return from(new Set([content, forUser ?? content])).pipe(
    concatMap(judgeText),
    takeWhile(({ other }) => other !== undefined, true),
    toArray(),
    map((settled) => {
      const rulings = settled.flatMap(({ ruling }) => ruling ?? []);
      const last = settled.at(-1);
      if (last?.other === undefined) return { result, rulings, refused: last?.ruling };
      const otherOf = (text: string): string => settled.find((one) => one.text === text)?.other ?? '';
      if (settled.every(({ text, other }) => text === other)) return { result, rulings };
      const forTheUser = forUser === undefined ? {} : { forUser: otherOf(forUser) };
      return { result: { ...result, content: otherOf(content), ...forTheUser }, rulings };
    }),
  );
}

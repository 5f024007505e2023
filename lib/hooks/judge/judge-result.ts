import { concatMap, from, map, type Observable, takeWhile, toArray } from 'rxjs';
import type { ToolResult } from '../../events/parts/tool-result.ts';
import type { Ruling } from './judgement.ts';

/** A judged text. `other` replaces it; undefined withholds it. */
export interface SettledText {
  readonly text: string;
  readonly other: string | undefined;
  /** Set if the text does not pass. */
  readonly ruling?: Ruling;
}

export interface SettledResult {
  /** The same object if nothing was changed. */
  readonly result: ToolResult;
  /** One for each text that does not pass but is forwarded. */
  readonly rulings: readonly Ruling[];
  /** Set if the whole result is withheld. */
  readonly refused?: Ruling | undefined;
}

/** Judges the texts of a result for the model and for the user: each text once, and none after a refused one. */
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

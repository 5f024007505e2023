import type { Observable, SchedulerLike } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { HooklineError } from '../../errors.ts';

/** A stream drawn as marbles. A letter without a value stands for itself. With `values`, each letter must have one. */
export interface MarbleTurn<T> {
  readonly marbles: string;
  readonly values?: Readonly<Record<string, T | string>>;
  /** The error of `#`. */
  readonly error?: unknown;
}

/** Returns the marbles as an Observable on a test scheduler. Invalid marbles are `OPTIONS_INVALID`. */
export function marbleSource<T>(
  turn: MarbleTurn<T>,
  scheduler: SchedulerLike | undefined,
  what: string,
): Observable<T | string> {
  if (!(scheduler instanceof TestScheduler)) {
    throw new HooklineError(
      'OPTIONS_INVALID',
      `${what}: marbles need the scheduler of marbles(); give it as \`scheduler\`.`,
    );
  }
  const { marbles, values } = turn;
  if (values) assertLetters(marbles, Object.keys(values), what);
  return scheduler.createColdObservable<T | string>(marbles, values && { ...values }, turn.error);
}

/** Throws if a marble diagram contains a letter that is not in `known`. */
export function assertLetters(marbles: string, known: readonly string[], what: string): void {
  const letters = marbles.replace(/(^|\s)\d+(\.\d+)?(ms|s|m)(?=\s)/g, '').match(/[^\s\-()|#^!]/gu) ?? [];
  const unknown = [...new Set(letters)].filter((letter) => !known.includes(letter));
  if (unknown.length === 0) return;
  throw new HooklineError(
    'OPTIONS_INVALID',
    `${what}: "${marbles}" has ${unknown.map((letter) => `"${letter}"`).join(', ')}, but values has only ${known.join(', ') || 'none'}.`,
  );
}

import { concat, from, NEVER, Observable, type SchedulerLike, throwError } from 'rxjs';
import type { ErrorInfo } from '../events/parts/error-info.ts';

/** Output of a model or a tool with its times, in milliseconds after the request. */
export interface TimedOutput<T> {
  readonly items: readonly { readonly at: number; readonly item: T }[];
  /** When it ended. `Infinity`: it did not end. */
  readonly end: number;
  /** What it failed with. */
  readonly error?: ErrorInfo;
}

/** Emits output at its times. Without a scheduler, it comes at once and without the chunks of a text. */
export function playOutput<T>(
  { items, end, error }: TimedOutput<T>,
  scheduler: SchedulerLike | undefined,
): Observable<T> {
  const failed = error && errorOf(error);
  if (!scheduler || end === 0) {
    const all = items.map(({ item }) => item);
    const all$ = from(scheduler ? all : joined(all));
    if (end === Number.POSITIVE_INFINITY) return concat(all$, NEVER);
    return failed
      ? concat(
          all$,
          throwError(() => failed),
        )
      : all$;
  }
  return new Observable((subscriber) => {
    const begun = scheduler.now();
    let next = 0;
    const step = (): void => {
      const now = scheduler.now() - begun;
      for (let due = items[next]; due !== undefined && due.at <= now; due = items[next]) {
        next += 1;
        subscriber.next(due.item);
        if (subscriber.closed) return;
      }
      const at = items[next]?.at ?? end;
      if (at > now) {
        if (at < Number.POSITIVE_INFINITY) subscriber.add(scheduler.schedule(step, at - now));
      } else if (failed) subscriber.error(failed);
      else subscriber.complete();
    };
    step();
  });
}

/** Joins the chunks of each block. */
function joined<T>(items: readonly T[]): readonly T[] {
  const made: unknown[] = [];
  for (const item of items as readonly unknown[]) {
    const last = made.at(-1);
    if (typeof item === 'string' && typeof last === 'string') made[made.length - 1] = last + item;
    else if (isText(item) && isText(last) && item.type === last.type && item.block === last.block)
      made[made.length - 1] = { ...item, delta: last.delta + item.delta };
    else made.push(item);
  }
  return made as T[];
}

function isText(item: unknown): item is { readonly type: string; readonly block?: number; readonly delta: string } {
  const { type, metadata } = Object(item);
  return (type === 'text' || type === 'thinking') && metadata === undefined;
}

function errorOf({ cause, ...info }: ErrorInfo): Error {
  return Object.assign(new Error(info.message), info, cause && { cause: errorOf(cause) });
}

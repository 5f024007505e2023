import {
  AsyncSubject,
  concat,
  concatMap,
  defer,
  first,
  from,
  ignoreElements,
  map,
  Observable,
  of,
  tap,
  timer,
} from 'rxjs';
import type { HookContext } from '../../pipeline/define/hook-context.ts';
import type { oneAtATime } from '../one-at-a-time.ts';
import type { Counter } from './counter.ts';
import type { Source, Units } from './units.ts';

export interface Refusal {
  readonly counter: Counter;
  readonly waitMs: number;
}

/** The call or request that takes, and its store. */
export interface Taker {
  readonly tool: string;
  readonly context: Pick<HookContext, 'run' | 'scheduler' | 'log'>;
  readonly units: Units;
  readonly inLine: ReturnType<typeof oneAtATime>;
}

/** A taken unit, with the time of the take. */
interface Place extends Source {
  readonly at: number;
}

/**
 * Takes one unit from each counter in turn, with waits up to the limit of each. Emits the refusal, or undefined. If one refuses or fails, or the
 * subscriber unsubscribes, it returns the units that it took.
 */
export function takeAll(counters: readonly Counter[], taker: Taker): Observable<Refusal | undefined> {
  return new Observable((subscriber) => {
    const { context, units } = taker;
    const places: Place[] = [];
    let kept = false;
    const giveBack = (): Observable<never> =>
      defer(() => from(places.splice(0))).pipe(
        concatMap(({ at, ...source }) => units.giveBack(source, at)),
        ignoreElements(),
      );
    const abandon = () =>
      giveBack().subscribe({
        error: (err) => context.log.error({ err }, 'reserved capacity of a rate limit was not released'),
      });

    function took(place: Place): void {
      places.push(place);
      // The subscriber unsubscribed before the store answered.
      if (subscriber.closed) abandon();
    }

    subscriber.add(() => {
      if (!kept) abandon();
    });
    subscriber.add(
      from(counters)
        .pipe(
          concatMap((counter) => takeFrom(counter, taker, took)),
          first((refusal) => refusal !== undefined, undefined),
          concatMap((refusal) => (refusal ? concat(giveBack(), of(refusal)) : of(undefined))),
          tap((refusal) => {
            kept = refusal === undefined;
          }),
        )
        .subscribe(subscriber),
    );
  });
}

/** Takes no tokens, because their number is not known yet. */
function takeFrom(
  counter: Counter,
  { tool, context, units, inLine }: Taker,
  took: (place: Place) => void,
): Observable<Refusal | undefined> {
  const { scheduler, run } = context;
  const source: Source = { counter, key: counter.key(run, tool), scheduler };
  const until = scheduler.now() + counter.maxWaitMs;
  const attempt = (): Observable<Refusal | undefined> => {
    const update = units.take(source).pipe(
      map((taken) => {
        if ('waitMs' in taken) return { counter, waitMs: taken.waitMs };
        if (counter.of !== 'tokens') took({ ...source, at: taken.at });
        return undefined;
      }),
    );
    return toItsEnd(update).pipe(
      concatMap((refusal) =>
        refusal && scheduler.now() + refusal.waitMs <= until
          ? timer(refusal.waitMs, scheduler).pipe(concatMap(attempt))
          : of(refusal),
      ),
    );
  };
  return counter.maxWaitMs > 0 ? inLine(JSON.stringify(source.key), attempt) : attempt();
}

/** Continues after an unsubscribe, because a write cannot be cancelled, only reverted. */
function toItsEnd<T>(work: Observable<T>): Observable<T> {
  return defer(() => {
    const result = new AsyncSubject<T>();
    work.subscribe(result);
    return result;
  });
}

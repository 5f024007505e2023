import { AsyncSubject, concat, concatMap, defer, first, from, ignoreElements, Observable, of, tap, timer } from 'rxjs';
import type { JsonValue } from '../../events/values/json-value.ts';
import type { HookContext } from '../../pipeline/define/hook-context.ts';
import type { StateStore, StoreKey } from '../../store/state/state-store.ts';
import { updateState } from '../../store/state/update-state.ts';
import type { oneAtATime } from '../one-at-a-time.ts';
import type { Counter } from './counter.ts';
import { returned, take, type Used, usedSchema } from './meter.ts';

/** The reason for a refusal. */
export interface Refusal {
  readonly counter: Counter;
  readonly waitMs: number;
}

/** The call or request that takes, and its store. */
export interface Taker {
  readonly tool: string;
  readonly context: Pick<HookContext, 'run' | 'scheduler' | 'log'>;
  readonly store: StateStore;
  readonly inLine: ReturnType<typeof oneAtATime>;
}

interface Place {
  readonly counter: Counter;
  readonly key: StoreKey;
  /** The time of the take. */
  readonly at: number;
}

/**
 * Takes one unit from each counter in turn, with waits up to the limit of each. Emits the refusal, or undefined. If one refuses or fails, or the
 * subscriber unsubscribes, it returns the units that it took.
 */
export function takeAll(counters: readonly Counter[], taker: Taker): Observable<Refusal | undefined> {
  return new Observable((subscriber) => {
    const { context, store } = taker;
    const places: Place[] = [];
    let kept = false;
    const giveBack = (): Observable<never> =>
      defer(() => from(places.splice(0))).pipe(
        concatMap(({ counter, key, at }) =>
          updateState<void>(store, key, (value) => {
            const used = returned(counter, usedIn(value), 1, at);
            return { ...(used && { value: used, ttlMs: 2 * counter.windowMs }), result: undefined };
          }),
        ),
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
  { tool, context, store, inLine }: Taker,
  took: (place: Place) => void,
): Observable<Refusal | undefined> {
  const { scheduler, run } = context;
  const key = counter.key(run, tool);
  const until = scheduler.now() + counter.maxWaitMs;
  const attempt = (): Observable<Refusal | undefined> => {
    let at = 0;
    const update = updateState<Refusal | undefined>(store, key, (value) => {
      at = scheduler.now();
      const taken = take(counter, usedIn(value), 1, at);
      if ('waitMs' in taken) return { result: { counter, waitMs: taken.waitMs } };
      if (counter.of === 'tokens') return { result: undefined };
      return { value: taken.used, ttlMs: 2 * counter.windowMs, result: undefined };
    }).pipe(tap((refusal) => !refusal && counter.of !== 'tokens' && took({ counter, key, at })));
    return toItsEnd(update).pipe(
      concatMap((refusal) =>
        refusal && scheduler.now() + refusal.waitMs <= until
          ? timer(refusal.waitMs, scheduler).pipe(concatMap(attempt))
          : of(refusal),
      ),
    );
  };
  return counter.maxWaitMs > 0 ? inLine(JSON.stringify(key), attempt) : attempt();
}

/** Parses the stored usage. */
export function usedIn(value: JsonValue | undefined): Used | undefined {
  const used = usedSchema.safeParse(value);
  return used.success ? used.data : undefined;
}

/** Continues after an unsubscribe, because a write cannot be cancelled, only reverted. */
function toItsEnd<T>(work: Observable<T>): Observable<T> {
  return defer(() => {
    const result = new AsyncSubject<T>();
    work.subscribe(result);
    return result;
  });
}

import { AsyncSubject, concat, concatMap, defer, first, from, ignoreElements, Observable, of, tap, timer } from 'rxjs';
import type { JsonValue } from '../../events/values/json-value.ts';
import type { HookContext } from '../../pipeline/define/hook-context.ts';
import type { StateStore, StoreKey } from '../../store/state/state-store.ts';
import { updateState } from '../../store/state/update-state.ts';
import type { oneAtATime } from '../one-at-a-time.ts';
import type { Counter } from './counter.ts';
import { returned, take, type Used, usedSchema } from './meter.ts';

/** Why something may not be done now. */
export interface Refusal {
  readonly counter: Counter;
  readonly waitMs: number;
}

/** Who takes, and from where. */
export interface Taker {
  readonly tool: string;
  readonly context: Pick<HookContext, 'run' | 'scheduler' | 'log'>;
  readonly store: StateStore;
  readonly inLine: ReturnType<typeof oneAtATime>;
}

interface Place {
  readonly counter: Counter;
  readonly key: StoreKey;
  /** When it was taken. */
  readonly at: number;
}

/**
 * Takes one place from each counter in turn, waiting as long as each allows; gives why not, or nothing. Where it does not come to all of
 * them, because one refuses or fails or nobody waits any more, the places that were taken are given back.
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
        error: (err) => context.log.error({ err }, 'places of a rate limit were not given back'),
      });

    function took(place: Place): void {
      places.push(place);
      // The store had not answered yet when somebody stopped waiting.
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

/** Of tokens nobody knows yet how many it will be, so none are taken. */
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

/** What is used up, as the store has it. */
export function usedIn(value: JsonValue | undefined): Used | undefined {
  const used = usedSchema.safeParse(value);
  return used.success ? used.data : undefined;
}

/** Goes on when nobody listens any more: what is written cannot be called back, only made good. */
function toItsEnd<T>(work: Observable<T>): Observable<T> {
  return defer(() => {
    const result = new AsyncSubject<T>();
    work.subscribe(result);
    return result;
  });
}

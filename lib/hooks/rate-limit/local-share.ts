import { catchError, defer, EMPTY, type Observable, throwError } from 'rxjs';
import { HooklineError } from '../../errors.ts';
import type { Logger } from '../../pipeline/logger.ts';
import { memoryStateStore } from '../../store/state/memory-state-store.ts';
import { type Source, storedUnits, type Units } from './units.ts';

/** How long a store that failed is not asked again, in milliseconds. */
const AWAY_MS = 5_000;

/** While the store fails, takes units of this process only, up to a share of each limit. */
export function withLocalShare(units: Units, share: number, log: Logger): Units {
  let now = () => Date.now();
  const local = storedUnits(memoryStateStore({ now: () => now() }));
  let awayUntil = Number.NEGATIVE_INFINITY;

  function own({ counter, ...source }: Source): Source {
    now = () => source.scheduler.now();
    const { max, burst } = counter;
    const part = { max: max * share, ...(burst !== undefined && { burst: burst * share }) };
    return { ...source, counter: { ...counter, ...part } };
  }

  function unlessAway<T>(source: Source, work: (units: Units, source: Source) => Observable<T>): Observable<T> {
    return defer(() => {
      if (source.scheduler.now() < awayUntil) return work(local, own(source));
      return work(units, source).pipe(
        catchError((err: unknown) => {
          if (!(err instanceof HooklineError && err.code === 'STORE_FAILED')) return throwError(() => err);
          log.warn({ err, share }, 'the store of a rate limit failed; this process uses its own share of the limit');
          awayUntil = source.scheduler.now() + AWAY_MS;
          return work(local, own(source));
        }),
      );
    });
  }

  return {
    take: (source) => unlessAway(source, (from, of) => from.take(of)),
    spend: (source, amount) => unlessAway(source, (from, of) => from.spend(of, amount)),
    // A unit that the store does not take back is lost, which never exceeds the limit.
    giveBack: (source, at) => (source.scheduler.now() < awayUntil ? EMPTY : units.giveBack(source, at)),
  };
}

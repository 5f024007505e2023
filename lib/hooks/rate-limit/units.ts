import { concatMap, defer, finalize, map, type Observable, of, type SchedulerLike, shareReplay } from 'rxjs';
import type { JsonValue } from '../../events/values/json-value.ts';
import type { StateStore, StoreKey } from '../../store/state/state-store.ts';
import { updateState } from '../../store/state/update-state.ts';
import type { Counter } from './counter.ts';
import { available, returned, SLOTS, take, type Used, usedSchema } from './meter.ts';

/** Where a unit is taken from. */
export interface Source {
  readonly counter: Counter;
  readonly key: StoreKey;
  readonly scheduler: SchedulerLike;
}

/** The time of a take, or the milliseconds to wait; `Infinity` if the amount can never fit. */
export type UnitTaken = { readonly at: number } | { readonly waitMs: number };

export interface Units {
  /** Takes one unit, for tokens none: it only checks whether some are left. */
  take(source: Source): Observable<UnitTaken>;
  /** Returns a unit that was taken at this time. */
  giveBack(source: Source, at: number): Observable<void>;
  /** Counts usage that already happened and cannot be refused. */
  spend(source: Source, amount: number): Observable<void>;
}

/** Takes each unit from the store, in one atomic step. */
export function storedUnits(store: StateStore): Units {
  return {
    take: (source) =>
      takeFrom(store, source, () => (source.counter.of === 'tokens' ? 0 : 1)).pipe(map(({ taken }) => taken)),
    giveBack: (source, at) => giveBackTo(store, source, at, 1),
    spend: (source, amount) => spendFrom(store, source, amount),
  };
}

/** The part of the available units that a process leases at once. */
const BATCH = 1 / 20;

/** The leased units of one counter. */
interface Pool {
  left: number;
  /** The part of the window in which they were leased. They are valid in this part only, so that no window has more than its maximum. */
  slot: number;
  source: Source;
  /** The counter has no units before this time. */
  refusedUntil: number;
  leasing: Observable<UnitTaken> | undefined;
}

/**
 * Leases units in batches, for a store on another machine. Batches shrink as fewer units are left. Unused units return to the store when their part of
 * the window ends and the next unit is wanted.
 */
export function leasedUnits(store: StateStore): Units {
  const pools = new Map<string, Pool>();
  const stored = storedUnits(store);
  const slotOf = ({ counter, scheduler }: Source) => Math.floor(scheduler.now() / (counter.windowMs / SLOTS));

  function poolOf(source: Source): Pool {
    const name = JSON.stringify(source.key);
    const known = pools.get(name);
    if (known) return Object.assign(known, { source });
    sweep();
    const pool = { left: 0, slot: -1, source, refusedUntil: 0, leasing: undefined };
    pools.set(name, pool);
    return pool;
  }

  /** Drops the pools of counters that were not used for a window, such as those of ended sessions. */
  function sweep(): void {
    if (pools.size < MOST_POOLS) return;
    for (const [name, { source, slot, leasing }] of pools)
      if (!leasing && slot < slotOf(source) - SLOTS) pools.delete(name);
  }

  function lease(pool: Pool, source: Source): Observable<UnitTaken> {
    const { left, slot } = pool;
    pool.left = 0;
    const unused =
      left === 0 ? of(undefined) : giveBackTo(store, source, (slot + 0.5) * (source.counter.windowMs / SLOTS), left);
    return unused.pipe(
      concatMap(() => takeFrom(store, source, (free) => Math.max(1, Math.floor(free * BATCH)))),
      map(({ taken, amount }) => {
        // Cleared before the callers continue, because they may need the next lease.
        pool.leasing = undefined;
        if ('waitMs' in taken) pool.refusedUntil = source.scheduler.now() + taken.waitMs;
        else Object.assign(pool, { left: amount, slot: Math.floor(taken.at / (source.counter.windowMs / SLOTS)) });
        return taken;
      }),
      finalize(() => {
        pool.leasing = undefined;
      }),
      shareReplay(1),
    );
  }

  function fromPool(source: Source): Observable<UnitTaken> {
    const pool = poolOf(source);
    const now = source.scheduler.now();
    if (pool.left > 0 && pool.slot === slotOf(source)) {
      pool.left -= 1;
      return of({ at: now });
    }
    if (pool.refusedUntil > now) return of({ waitMs: pool.refusedUntil - now });
    pool.leasing ??= lease(pool, source);
    return pool.leasing.pipe(concatMap(() => fromPool(source)));
  }

  return {
    take: (source) => (source.counter.of === 'tokens' ? stored.take(source) : defer(() => fromPool(source))),
    giveBack: (source, at) =>
      defer(() => {
        const pool = poolOf(source);
        if (Math.floor(at / (source.counter.windowMs / SLOTS)) !== pool.slot) return stored.giveBack(source, at);
        pool.left += 1;
        return of(undefined);
      }),
    spend: stored.spend,
  };
}

/** Number of counters whose leases are kept before unused ones are dropped. */
const MOST_POOLS = 1_000;

function takeFrom(
  store: StateStore,
  { counter, key, scheduler }: Source,
  wanted: (free: number) => number,
): Observable<{ taken: UnitTaken; amount: number }> {
  return updateState<{ taken: UnitTaken; amount: number }>(store, key, (value) => {
    const at = scheduler.now();
    const used = usedIn(value);
    const amount = wanted(available(counter, used, at));
    // Of tokens, their number is not known yet.
    const taken = take(counter, used, Math.max(1, amount), at);
    if ('waitMs' in taken) return { result: { taken, amount } };
    const result = { taken: { at }, amount };
    return amount === 0 ? { result } : { value: taken.used, ttlMs: 2 * counter.windowMs, result };
  });
}

function giveBackTo(store: StateStore, { counter, key }: Source, at: number, amount: number): Observable<void> {
  return updateState<void>(store, key, (value) => {
    const used = returned(counter, usedIn(value), amount, at);
    return { ...(used && { value: used, ttlMs: 2 * counter.windowMs }), result: undefined };
  });
}

function spendFrom(store: StateStore, { counter, key, scheduler }: Source, amount: number): Observable<void> {
  return updateState<void>(store, key, (value) => {
    const taken = take(counter, usedIn(value), amount, scheduler.now(), true);
    return { ...('used' in taken && { value: taken.used, ttlMs: 2 * counter.windowMs }), result: undefined };
  });
}

/** Parses the stored usage. */
function usedIn(value: JsonValue | undefined): Used | undefined {
  const used = usedSchema.safeParse(value);
  return used.success ? used.data : undefined;
}

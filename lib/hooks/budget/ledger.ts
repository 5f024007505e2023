import { concat, concatMap, defer, from, map, type Observable, of, reduce } from 'rxjs';
import { userOf } from '../../events/parts/user-of.ts';
import type { StateStore, StoreKey } from '../../store/state/state-store.ts';
import { BILLIONTHS } from '../tokens/prices.ts';
import { countedUser } from '../without-user.ts';
import type { BudgetLimit, Resource } from './budget-options.ts';

/** The owner of spending: the root run as first begun, with its session and user. */
export interface Spender {
  readonly root: string;
  readonly sessionId: string;
  readonly userId?: string | undefined;
}

/** Amounts by resource. Cost is in billionths. */
export type Amounts = Readonly<Partial<Record<Resource, number>>>;

/** A limit, with its spending before and after a change. */
export interface Spending {
  readonly limit: BudgetLimit;
  readonly before: number;
  readonly after: number;
}

/** The spending in the store. Each amount is added atomically, also across processes that share the store. */
export interface Ledger {
  /** Returns the spending for each limit; `after` equals `before`. */
  look(who: Spender): Observable<readonly Spending[]>;
  /** Adds amounts, reported or `estimated`. */
  spend(who: Spender, amounts: Amounts, estimated?: boolean): Observable<readonly Spending[]>;
  /** Returns the estimated part of the spending for this limit. */
  estimated(who: Spender, limit: BudgetLimit): Observable<number>;
  /**
   * Called when a run has ended or was suspended. Its counters are kept while it may be resumed, and those of its session for long after its last
   * run.
   */
  rest(who: Spender, ended: boolean): Observable<unknown>;
}

const DAY_MS = 24 * 3_600_000;
/** How long a suspended run may be resumed, and a session continued. */
const KEPT_MS = 90 * DAY_MS;

interface Counter extends Pick<BudgetLimit, 'of' | 'per' | 'windowMs' | 'withoutUser'> {
  readonly limits: readonly BudgetLimit[];
}

/** Returns `max` in counted units. */
export function countedMax({ of: what, max }: BudgetLimit): number {
  return what === 'cost' ? Math.round(max * BILLIONTHS) : max;
}

/** Creates the counters for `limits`. Limits of the same resource and scope share one counter. */
export function createLedger(name: string, limits: readonly BudgetLimit[], store: () => StateStore): Ledger {
  const counters = [...new Set(limits.map(idOf))].map((id): Counter => {
    const same = limits.filter((limit) => idOf(limit) === id);
    return { ...(same[0] as BudgetLimit), limits: same };
  });

  function keyOf(counter: Omit<Counter, 'limits'>, who: Spender): StoreKey {
    const { of: what, per, windowMs } = counter;
    return ['budget', name, per, ownerOf(counter, who), what, ...(windowMs === undefined ? [] : [String(windowMs)])];
  }

  const spent = (counter: Omit<Counter, 'limits'>, who: Spender, ...more: string[]): Observable<number> =>
    defer(() => store().get([...keyOf(counter, who), ...more])).pipe(
      map((entry) => (typeof entry?.value === 'number' ? entry.value : 0)),
    );

  return {
    look: (who) =>
      from(counters).pipe(
        concatMap((counter) =>
          spent(counter, who).pipe(map((sum) => counter.limits.map((limit) => ({ limit, before: sum, after: sum })))),
        ),
        reduce<Spending[], readonly Spending[]>((all, some) => [...all, ...some], []),
      ),
    spend: (who, amounts, estimated = false) =>
      from(counters.filter((counter) => (amounts[counter.of] ?? 0) !== 0)).pipe(
        concatMap((counter) => {
          const amount = amounts[counter.of] ?? 0;
          const key = keyOf(counter, who);
          const change = ttlOf(counter);
          const marked = estimated ? store().add([...key, 'estimated'], amount, change) : of(0);
          return marked.pipe(
            concatMap(() => store().add(key, amount, change)),
            map((after) => counter.limits.map((limit) => ({ limit, before: after - amount, after }))),
          );
        }),
        reduce<Spending[], readonly Spending[]>((all, some) => [...all, ...some], []),
      ),
    estimated: (who, limit) => spent(limit, who, 'estimated'),
    rest: (who, ended) =>
      from(counters.filter((counter) => counter.windowMs === undefined && ttlOf(counter).ttlMs)).pipe(
        concatMap((counter) => {
          const key = keyOf(counter, who);
          // A snapshot of an ended run may be resumed again.
          const ttlMs = counter.per === 'run' && ended ? DAY_MS : KEPT_MS;
          return concat(store().expire(key, ttlMs), store().expire([...key, 'estimated'], ttlMs));
        }),
      ),
  };
}

/** Returns the lifetime of an unused counter. The total of a user is kept permanently. */
function ttlOf({ per, windowMs }: Omit<Counter, 'limits'>): { ttlMs?: number } {
  const ttlMs = windowMs ?? (per === 'user' ? undefined : KEPT_MS);
  return ttlMs === undefined ? {} : { ttlMs };
}

function idOf({ of: what, per, windowMs = 0, withoutUser = 'session' }: Omit<Counter, 'limits'>): string {
  return JSON.stringify([what, per, windowMs, withoutUser]);
}

function ownerOf({ per, withoutUser }: Omit<Counter, 'limits'>, who: Spender): string {
  if (per === 'run') return who.root;
  const session = JSON.stringify([userOf(who) ?? '', who.sessionId]);
  return per === 'session' ? session : countedUser(who, session, withoutUser);
}

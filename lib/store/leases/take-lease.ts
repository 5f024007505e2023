import {
  concatMap,
  defer,
  EMPTY,
  map,
  type Observable,
  retry,
  type SchedulerLike,
  Subscription,
  throwError,
  timer,
} from 'rxjs';
import { HooklineError } from '../../errors.ts';
import type { StateStore, StoreKey } from '../state/state-store.ts';

/** The right of one process to do something, for a limited time. The process renews it while it works. */
export interface Lease {
  /** Increases with each owner. A resource that knows a higher number rejects the owner of a lower one. */
  readonly fence: number;
  /** Whether this process still has the right, by its own clock. False after a pause of the process that was longer than the lease. */
  isHeld(): boolean;
  /** Ends the lease. It expires by itself if the store is away. */
  release(): void;
}

export interface LeaseOptions {
  readonly store: StateStore;
  readonly key: StoreKey;
  /** Identifies this process in the store. */
  readonly owner: string;
  readonly scheduler: SchedulerLike;
  /** How long a lease is valid without renewal, in milliseconds (default: 10,000). It is renewed after a third of that. */
  readonly ttlMs?: number;
  /** Time between attempts, in milliseconds (default: 250). */
  readonly retryMs?: number;
}

/** The owner gives up before the others may take over, because their clocks may differ. */
const OWN_SHARE = 0.8;

/** Takes a lease as soon as no other process has it. Emits it once. Unsubscribing ends the wait. Fails with `STORE_FAILED`. */
export function takeLease(options: LeaseOptions): Observable<Lease> {
  const { store, key, owner, scheduler, ttlMs = 10_000, retryMs = 250 } = options;
  return defer(() => {
    const since = scheduler.now();
    return store.set(key, { owner }, { ifVersion: 0, ttlMs }).pipe(map(({ version }) => held(version, since)));
  }).pipe(retry({ delay: (thrown) => (isTaken(thrown) ? timer(retryMs, scheduler) : throwError(() => thrown)) }));

  function held(fence: number, since: number): Lease {
    let until = since + ttlMs * OWN_SHARE;
    let version = fence;
    const isHeld = () => scheduler.now() < until;
    const renewing = new Subscription();
    const renew = (): void => {
      renewing.add(
        timer(ttlMs / 3, scheduler)
          .pipe(
            concatMap(() => {
              if (!isHeld()) return EMPTY;
              const at = scheduler.now();
              return store.set(key, { owner }, { ifVersion: version, ttlMs }).pipe(map((entry) => [entry.version, at]));
            }),
          )
          .subscribe({
            next: ([next = 0, at = 0]) => {
              version = next;
              until = at + ttlMs * OWN_SHARE;
              renew();
            },
            error: (thrown) => {
              // Another process has it. If the store is away, it may answer before the lease ends.
              if (isTaken(thrown)) until = scheduler.now();
              else if (isHeld()) renew();
            },
          }),
      );
    };
    renew();
    return {
      fence,
      isHeld,
      release() {
        renewing.unsubscribe();
        until = scheduler.now();
        store.remove(key, { ifVersion: version }).subscribe({ error: () => {} });
      },
    };
  }
}

function isTaken(thrown: unknown): boolean {
  return thrown instanceof HooklineError && thrown.code === 'STORE_CONFLICT';
}

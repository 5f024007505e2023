import { expect } from 'chai';
import { NEVER, type Observable, throwError } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { HooklineError } from '../../../lib/errors.ts';
import { type Lease, takeLease } from '../../../lib/store/leases/take-lease.ts';
import { memoryStateStore } from '../../../lib/store/state/memory-state-store.ts';
import type { StateStore, StoreKey } from '../../../lib/store/state/state-store.ts';

const key: StoreKey = ['lease', 's1'];

/** Runs `work` in virtual time. `at` calls something at a time in milliseconds. */
function inTime(
  work: (parts: {
    store: StateStore;
    at: (ms: number, what: () => void) => void;
    take: (owner: string, store?: StateStore) => Observable<Lease>;
  }) => void,
): void {
  const scheduler = new TestScheduler(() => {});
  scheduler.run(({ cold, flush }) => {
    const store = memoryStateStore({ now: () => scheduler.now() });
    work({
      store,
      at: (ms, what) => cold(`${ms}ms (a|)`).subscribe({ complete: what }),
      take: (owner, own = store) => takeLease({ store: own, key, owner, scheduler, ttlMs: 900, retryMs: 100 }),
    });
    flush();
  });
}

describe('a lease', () => {
  it('is given at once, and to the next when it is released', () => {
    const owners: string[] = [];
    inTime(({ at, take }) => {
      take('a').subscribe((lease) => {
        owners.push('a');
        at(5_000, () => lease.release());
      });
      take('b').subscribe((lease) => {
        owners.push('b');
        lease.release();
      });
      at(4_990, () => expect(owners).to.deep.equal(['a']));
      at(5_200, () => expect(owners).to.deep.equal(['a', 'b']));
    });
    expect(owners).to.deep.equal(['a', 'b']);
  });

  it('has a higher fence for each owner', () => {
    const fences: number[] = [];
    inTime(({ take }) => {
      for (const owner of ['a', 'b', 'c'])
        take(owner).subscribe((lease) => {
          fences.push(lease.fence);
          lease.release();
        });
    });
    expect(fences).to.have.lengthOf(3);
    expect([...fences].sort((a, b) => a - b)).to.deep.equal(fences);
  });

  it('ends by its own clock before another process can take it', () => {
    const seen: string[] = [];
    inTime(({ store, at, take }) => {
      // The owner cannot reach the store after it took the lease.
      let away = false;
      const cut: StateStore = { ...store, set: (...args) => (away ? NEVER : store.set(...args)) };
      take('a', cut).subscribe((lease) => {
        away = true;
        at(710, () => seen.push(`a holds: ${lease.isHeld()}`));
        at(720, () => seen.push(`a holds: ${lease.isHeld()}`));
      });
      take('b').subscribe((lease) => {
        seen.push('b holds');
        lease.release();
      });
    });
    expect(seen).to.deep.equal(['a holds: true', 'a holds: false', 'b holds']);
  });

  it('survives a failing store for as long as it is valid', () => {
    const seen: boolean[] = [];
    inTime(({ store, at, take }) => {
      let away = false;
      const failed = () => throwError(() => new HooklineError('STORE_FAILED', 'away'));
      const cut: StateStore = { ...store, set: (...args) => (away ? failed() : store.set(...args)) };
      take('a', cut).subscribe((lease) => {
        at(100, () => {
          away = true;
        });
        at(500, () => {
          away = false;
        });
        at(3_000, () => {
          seen.push(lease.isHeld());
          lease.release();
        });
      });
    });
    expect(seen).to.deep.equal([true]);
  });

  it('is lost when another process has taken it', () => {
    const seen: boolean[] = [];
    inTime(({ store, at, take }) => {
      take('a').subscribe((lease) => {
        at(10, () => {
          store.remove(key).subscribe();
          store.set(key, { owner: 'b' }).subscribe();
        });
        at(310, () => seen.push(lease.isHeld()));
      });
    });
    expect(seen).to.deep.equal([false]);
  });

  it('fails if the store fails', () => {
    let thrown: unknown;
    inTime(({ store, take }) => {
      const failed = () => throwError(() => new HooklineError('STORE_FAILED', 'away'));
      take('a', { ...store, set: failed }).subscribe({ error: (error) => (thrown = error) });
    });
    expect(thrown).to.have.property('code', 'STORE_FAILED');
  });
});

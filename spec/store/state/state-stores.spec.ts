import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { firstValueFrom, map, Observable, of } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { fileStateStore } from '../../../lib/store/state/file-state-store.ts';
import { memoryStateStore } from '../../../lib/store/state/memory-state-store.ts';
import type { StateStore, StoreKey } from '../../../lib/store/state/state-store.ts';
import { stateStoreContract } from '../../../lib/store/state/state-store-contract.ts';
import { tempFolder } from '../../temp-folder.ts';

const entriesIn = (folder: string) => readdirSync(folder).filter((name) => name.endsWith('.json'));

/** Checks until it holds, because the store does not report when it has scanned its entries. */
async function eventually(check: () => void): Promise<void> {
  for (let tries = 500; ; tries--) {
    try {
      return check();
    } catch (thrown) {
      if (tries === 0) throw thrown;
    }
    await sleep(20);
  }
}

describe('a state store', () => {
  it('keeps the contract in memory', async () => {
    let time = 0;
    const store = memoryStateStore({ now: () => time });
    const { promises } = await stateStoreContract(() => store, {
      elapse: (ms) => {
        time += ms;
      },
    });
    expect(promises).to.have.lengthOf(10);
  });

  it('keeps the contract in a folder', async () => {
    let time = 1e12;
    const folder = join(tempFolder('state'), 'hooks');
    await stateStoreContract(() => fileStateStore(folder, { now: () => time }), {
      elapse: (ms) => {
        time += ms;
      },
    });
    expect(readdirSync(folder).filter((name) => name.endsWith('.json'))).to.deep.equal([]);
  });

  const lost: Readonly<Record<string, (store: StateStore) => Partial<StateStore>>> = {
    'what was set': () => ({ set: (key, value) => of({ key, value, version: 1 }) }),
    loses: (store) => ({
      add: (key, amount) =>
        new Observable((seen) =>
          store.set(key, amount).subscribe({ next: () => seen.next(amount), complete: () => seen.complete() }),
        ),
    }),
    'the first removal': () => ({ remove: () => of(false) }),
    'no change prolongs a counter': () => ({ expire: () => of(true) }),
    'a version that was removed, or is over, does not come again': (store) => {
      // Versions of each key from 1 on, while it exists.
      const count = new Map<string, number>();
      const real = new Map<string, number>();
      return {
        set: (key, value, { ifVersion, ...change } = {}) => {
          const name = JSON.stringify(key);
          const is = ifVersion === count.get(name) ? real.get(name) : ifVersion;
          return store.set(key, value, { ...change, ...(is !== undefined && { ifVersion: is }) }).pipe(
            map((entry) => {
              const version = (count.get(name) ?? 0) + 1;
              count.set(name, version);
              real.set(name, entry.version);
              return { ...entry, version };
            }),
          );
        },
        remove: (key) => {
          count.delete(JSON.stringify(key));
          return store.remove(key);
        },
      };
    },
    'a method emitted 2 times': () => ({ list: () => of([], []) }),
  };
  for (const [told, broken] of Object.entries(lost))
    it(`fails the contract with a reason: ${told}`, async () => {
      let time = 0;
      const sound = memoryStateStore({ now: () => time });
      const store = { ...sound, ...broken(sound) };
      const elapse = (ms: number): void => {
        time += ms;
      };
      const error = await stateStoreContract(() => store, { elapse }).catch((thrown) => thrown);
      expect(error).to.be.an('error').with.property('message').that.includes(told);
    });

  it('answers in virtual time in memory', () => {
    const scheduler = new TestScheduler((actual, expected) => {
      expect(actual).to.deep.equal(expected);
    });
    scheduler.run(({ expectObservable, cold }) => {
      const store = memoryStateStore({ now: () => scheduler.now() });
      const sums$ = cold('a--b--c|');
      const counted$ = new Observable<number>((seen) =>
        sums$.subscribe({
          next: () => store.add(['n'], 1, { ttlMs: 5 }).subscribe((sum) => seen.next(sum)),
          complete: () => seen.complete(),
        }),
      );
      expectObservable(counted$).toBe('1--2--1|', { 1: 1, 2: 2 });
    });
  });

  it('removes expired entries from a folder and keeps the rest', async () => {
    let time = 1e12;
    const folder = tempFolder('state');
    const store = fileStateStore(folder, { now: () => time });
    await firstValueFrom(store.set(['short'], 1, { ttlMs: 10 }));
    await firstValueFrom(store.set(['long'], 1));
    time += 2 * 60 * 60_000;
    await firstValueFrom(store.add(['other'], 1));
    await eventually(() => expect(entriesIn(folder)).to.have.lengthOf(2));
  });

  it('continues in a folder despite broken entries of others', async () => {
    let time = 1e12;
    const folder = tempFolder('state');
    const set = (key: StoreKey) =>
      firstValueFrom(fileStateStore(folder, { now: () => time }).set(key, 1, { ttlMs: 10 }));
    const long: StoreKey = ['a', 'x'.repeat(300)];
    for (const key of [['a', 'damaged'], long, ['b', 'y'.repeat(300)], ['b', 'short']] as StoreKey[]) await set(key);
    const damaged = entriesIn(folder).filter((name) => /^a~/.test(name));
    for (const name of damaged) writeFileSync(join(folder, name), '{"cut');
    expect(damaged).to.have.lengthOf(2);

    time += 2 * 60 * 60_000;
    const store = fileStateStore(folder, { now: () => time });
    await firstValueFrom(store.set(['b', 'mine'], 1));
    expect(await firstValueFrom(store.list(['b']))).to.deep.equal([['b', 'mine']]);
    await eventually(() => expect(entriesIn(folder)).to.have.members([...damaged, 'b~mine.json']));
    for (const asked of [store.list(['a']), store.get(long), store.list([])]) {
      const error = await firstValueFrom<unknown>(asked).catch((thrown) => thrown);
      expect(error).to.have.property('code', 'STORE_FAILED');
    }
  });

  it('changes a folder without waiting for the scan of other entries', async () => {
    const folder = tempFolder('state');
    const keys = Array.from({ length: 60 }, (_, index): StoreKey => [`k${index}`]);
    const before = fileStateStore(folder);
    await Promise.all(keys.map((key) => firstValueFrom(before.set(key, 1, { ttlMs: 1 }))));
    const store = fileStateStore(folder, { now: () => Date.now() + 60_000 });
    await firstValueFrom(store.set(['mine'], 1));
    expect(entriesIn(folder).length).to.be.greaterThan(1);
    await eventually(() => expect(entriesIn(folder)).to.deep.equal(['mine.json']));
  });

  it('reports and keeps unreadable entries of a folder', async () => {
    const folder = join(tempFolder('state'), 'deep');
    mkdirSync(folder);
    const store = fileStateStore(folder);
    await firstValueFrom(store.set(['a'], 1));
    const [file] = readdirSync(folder).filter((name) => name.endsWith('.json'));
    writeFileSync(join(folder, file as string), '{"cut');
    const error = await firstValueFrom(store.add(['a'], 1)).catch((thrown) => thrown);
    expect(error).to.have.property('code', 'STORE_FAILED');
    expect(error.message).to.include('is not JSON').and.include(folder);
  });
});

import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { firstValueFrom, Observable, of } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { fileStateStore } from '../../../lib/store/state/file-state-store.ts';
import { memoryStateStore } from '../../../lib/store/state/memory-state-store.ts';
import type { StateStore } from '../../../lib/store/state/state-store.ts';
import { stateStoreContract } from '../../../lib/store/state/state-store-contract.ts';
import { tempFolder } from '../../temp-folder.ts';

describe('state stores', () => {
  it('in memory keep the contract', async () => {
    let time = 0;
    const store = memoryStateStore({ now: () => time });
    const { promises } = await stateStoreContract(() => store, {
      elapse: (ms) => {
        time += ms;
      },
    });
    expect(promises).to.have.lengthOf(9);
  });

  it('in a folder keep the contract', async () => {
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
    'a method emitted 2 times': () => ({ list: () => of([], []) }),
  };
  for (const [told, broken] of Object.entries(lost))
    it(`that do not keep it are told of: ${told}`, async () => {
      let time = 0;
      const sound = memoryStateStore({ now: () => time });
      const store = { ...sound, ...broken(sound) };
      const elapse = (ms: number): void => {
        time += ms;
      };
      const error = await stateStoreContract(() => store, { elapse }).catch((thrown) => thrown);
      expect(error).to.be.an('error').with.property('message').that.includes(told);
    });

  it('in memory answer in virtual time', () => {
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

  it('in a folder throw away what has expired, and keep the rest', async () => {
    let time = 1e12;
    const folder = tempFolder('state');
    const store = fileStateStore(folder, { now: () => time });
    await firstValueFrom(store.set(['short'], 1, { ttlMs: 10 }));
    await firstValueFrom(store.set(['long'], 1));
    time += 2 * 60 * 60_000;
    await firstValueFrom(store.add(['other'], 1));
    const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
    expect(files).to.have.lengthOf(2);
  });

  it('in a folder say what cannot be read, and leave it', async () => {
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

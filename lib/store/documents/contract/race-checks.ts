import { HooklineError } from '../../../errors.ts';
import type { DocumentStore } from '../document-store.ts';
import type { StoreCheck } from './store-bench.ts';

const ROUNDS = 5;
const WRITERS = 6;

/** Checks of two stores on the same data. */
export const raceChecks: readonly StoreCheck[] = [
  {
    promise: 'two stores on one place see what the other writes',
    async try({ store, other, key, same }) {
      const written = await store.write(key(), 'one');
      same('read in the other store', await other.read(key()), written);
      same('revision of a write in the other store', (await other.write(key(), 'two')).revision, 2);
      same('read in the first store', (await store.read(key()))?.value, 'two');
      same('remove in the first store', await store.remove(key()), true);
      same('read in the other store after remove', await other.read(key()), undefined);
    },
  },
  {
    promise: 'of writes with the same ifRevision one is made, the others are refused with STORE_CONFLICT',
    async try({ store, other, key, same }) {
      for (let ifRevision = 0; ifRevision < ROUNDS; ifRevision += 1) {
        const writes = Array.from({ length: WRITERS }, (_, index) =>
          (index % 2 === 0 ? store : other).write(key(), index, { ifRevision }),
        );
        const settled = await Promise.allSettled(writes);
        const made = settled.filter(({ status }) => status === 'fulfilled');
        const conflicts = settled.filter((one) => one.status === 'rejected' && isConflict(one.reason));
        same('number of writes that were made', made.length, 1);
        same('number of conflicts', conflicts.length, WRITERS - 1);
        const revision = (await store.read(key()))?.revision;
        same('revision after the race', revision, ifRevision + 1);
      }
    },
  },
  {
    promise: 'no write without a condition is lost among others',
    async try({ store, other, key, same }) {
      const writes = Array.from({ length: WRITERS }, (_, index) =>
        (index % 2 === 0 ? store : other).write(key(), index),
      );
      const revisions = (await Promise.all(writes)).map(({ revision }) => revision).sort((a, b) => a - b);
      same('revisions of writes at once', revisions, [1, 2, 3, 4, 5, 6]);
    },
  },
  {
    promise: 'counting with ifRevision from two stores loses no step',
    async try({ store, other, key, same }) {
      await Promise.all([count(store, key()), count(other, key())]);
      same('the counter', (await store.read(key()))?.value, 2 * ROUNDS);
    },
  },
];

async function count(store: DocumentStore, key: readonly [string, ...string[]]): Promise<void> {
  for (let step = 0; step < ROUNDS; ) {
    const found = await store.read(key);
    try {
      await store.write(key, Number(found?.value ?? 0) + 1, { ifRevision: found?.revision ?? 0 });
      step += 1;
    } catch (thrown) {
      if (!isConflict(thrown)) throw thrown;
    }
  }
}

function isConflict(thrown: unknown): boolean {
  return thrown instanceof HooklineError && thrown.code === 'STORE_CONFLICT';
}

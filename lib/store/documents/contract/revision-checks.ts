import type { DocumentStore, StoredDocument } from '../document-store.ts';
import type { StoreCheck } from './store-bench.ts';

const numbers = (documents: readonly StoredDocument[]) => documents.map(({ revision }) => revision);
const values = (documents: readonly StoredDocument[]) => documents.map(({ value }) => value);

async function writeAll(store: DocumentStore, key: StoredDocument['key'], count: number): Promise<void> {
  for (let value = 1; value <= count; value += 1) await store.write(key, value);
}

/** Checks of revisions, conditions, history and removal. */
export const revisionChecks: readonly StoreCheck[] = [
  {
    promise: 'what was never written is not there',
    async try({ store, key, same, refused }) {
      same('read of a missing document', await store.read(key()), undefined);
      same('history of a missing document', await store.history(key()), []);
      same('remove of a missing document', await store.remove(key()), false);
      await refused('remove of a missing document with ifRevision 1', 'STORE_CONFLICT', () =>
        store.remove(key(), { ifRevision: 1 }),
      );
    },
  },
  {
    promise: 'revisions count from 1, and a write gives what is read then',
    async try({ store, key, same }) {
      const began = Date.now();
      for (const revision of [1, 2, 3]) {
        const written = await store.write(key(), { at: revision });
        same(
          'the document that write gave',
          { ...written, savedAt: '' },
          { key: key(), revision, savedAt: '', value: { at: revision } },
        );
        same('read after write', await store.read(key()), written);
        const at = Date.parse(written.savedAt);
        // A database may use its own clock, so only the format is checked.
        same(
          'savedAt in ISO 8601',
          new Date(at).toISOString() === written.savedAt && Math.abs(at - began) < 86_400_000,
          true,
        );
      }
    },
  },
  {
    promise: 'ifRevision is the revision that the document must have, 0 that there is none',
    async try({ store, key, same, refused }) {
      const write = (ifRevision: number) => () => store.write(key(), ifRevision, { ifRevision });
      await refused('write with ifRevision 1 of a missing document', 'STORE_CONFLICT', write(1));
      same('write with ifRevision 0 of a missing document', (await write(0)()).revision, 1);
      await refused('write with ifRevision 0 of revision 1', 'STORE_CONFLICT', write(0));
      same('write with ifRevision 1 of revision 1', (await write(1)()).revision, 2);
      await refused('write with ifRevision 1 of revision 2', 'STORE_CONFLICT', write(1));
      await refused('write with ifRevision 3 of revision 2', 'STORE_CONFLICT', write(3));
      await refused('remove with ifRevision 1 of revision 2', 'STORE_CONFLICT', () =>
        store.remove(key(), { ifRevision: 1 }),
      );
      same('values after refused writes', values(await store.history(key())), [1, 0]);
      same('remove with ifRevision 2 of revision 2', await store.remove(key(), { ifRevision: 2 }), true);
      for (const ifRevision of [-1, 1.5, Number.NaN]) {
        await refused(`write with ifRevision ${ifRevision}`, 'INPUT_INVALID', write(ifRevision));
      }
    },
  },
  {
    promise: 'the history holds the last ten revisions, the newest first',
    async try({ store, reopen, key, same }) {
      await writeAll(store, key(), 12);
      const history = await store.history(key());
      const ten = [12, 11, 10, 9, 8, 7, 6, 5, 4, 3];
      same('revisions of the history after 12 writes', numbers(history), ten);
      same('values of the history after 12 writes', values(history), ten);
      same('history in a reopened store', await (await reopen()).history(key()), history);
    },
  },
  {
    promise: 'a removed document loses its history and restarts at revision 1',
    async try({ store, reopen, key, same }) {
      await writeAll(store, key(), 3);
      same('remove', await store.remove(key()), true);
      same('read after remove', await store.read(key()), undefined);
      same('history after remove', await store.history(key()), []);
      same('read after remove in a reopened store', await (await reopen()).read(key()), undefined);
      same('a second remove', await store.remove(key()), false);
      await store.write(key(), 'new', { ifRevision: 0 });
      same('revisions after remove and write', numbers(await store.history(key())), [1]);
    },
  },
];

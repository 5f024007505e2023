import { readdirSync } from 'node:fs';
import { expect } from 'chai';
import { HooklineError } from '../../../lib/errors.ts';
import type { DocumentStore, StoredDocument } from '../../../lib/store/documents/document-store.ts';
import { fileStore } from '../../../lib/store/documents/file-store.ts';
import { memoryStore } from '../../../lib/store/documents/memory-store.ts';
import { type StoreContractReport, storeContract } from '../../../lib/store/documents/store-contract.ts';
import { tempFolder } from '../../temp-folder.ts';

/** Creates a memory store that breaks a promise: `wrap` receives the sound store and returns the changed methods. */
function broken(wrap: (sound: DocumentStore) => Partial<DocumentStore>): () => DocumentStore {
  const sound = memoryStore();
  const store = { ...sound, ...wrap(sound) };
  return () => store;
}

const asNumber = ({ ifRevision }: { readonly ifRevision?: number } = {}) => ifRevision ?? 0;

const breaches: readonly (readonly [what: string, issue: RegExp, make: () => DocumentStore])[] = [
  ['forgets data after a restart', /in a reopened store is \[\], not/, () => memoryStore()],
  [
    'throws for a missing document',
    /not there: HooklineError: gone/,
    broken((sound) => ({
      async read(key) {
        const found = await sound.read(key);
        if (found) return found;
        throw new HooklineError('STORE_FAILED', 'gone');
      },
    })),
  ],
  [
    'counts revisions from 0',
    /the document that write gave is .*"revision":0/,
    broken((sound) => ({
      async write(...args) {
        const written = await sound.write(...args);
        return { ...written, revision: written.revision - 1 };
      },
    })),
  ],
  [
    'ignores ifRevision',
    /write with ifRevision 1 of a missing document gives .* has to be refused with STORE_CONFLICT/,
    broken((sound) => ({ write: (key, value) => sound.write(key, value) })),
  ],
  [
    'treats ifRevision 0 as absent',
    /write with ifRevision 0 of revision 1 gives/,
    broken((sound) => ({
      write: (key, value, condition) => sound.write(key, value, asNumber(condition) === 0 ? {} : condition),
    })),
  ],
  [
    'ignores ifRevision on removal',
    /remove with ifRevision 1 of revision 2 gives true/,
    broken((sound) => ({ remove: (key) => sound.remove(key) })),
  ],
  [
    'keeps only nine revisions',
    /revisions of the history after 12 writes is \[12,11,10,9,8,7,6,5,4\],/,
    broken((sound) => ({ history: async (key) => (await sound.history(key)).slice(0, 9) })),
  ],
  [
    'returns the oldest first',
    /values of the history after 12 writes/,
    broken((sound) => ({ history: async (key) => [...(await sound.history(key))].reverse() })),
  ],
  [
    'continues the count after a removal',
    /revisions after remove and write is \[2\]/,
    broken((sound) => {
      const removed = new Set<string>();
      const shift = <T extends StoredDocument>(document: T): T =>
        removed.has(JSON.stringify(document.key)) ? { ...document, revision: document.revision + 1 } : document;
      return {
        remove(key, condition) {
          removed.add(JSON.stringify(key));
          return sound.remove(key, condition);
        },
        history: async (key) => (await sound.history(key)).map(shift),
      };
    }),
  ],
  [
    'keeps the history after a removal',
    /history after remove is \[\{/,
    broken((sound) => {
      const kept = new Map<string, readonly StoredDocument[]>();
      return {
        async remove(key, condition) {
          kept.set(JSON.stringify(key), await sound.history(key));
          return sound.remove(key, condition);
        },
        history: async (key) => kept.get(JSON.stringify(key)) ?? sound.history(key),
      };
    }),
  ],
  [
    'drops text after a NUL',
    /value "line/,
    broken((sound) => ({
      write: (key, value, condition) =>
        sound.write(key, typeof value === 'string' ? (value.split('\0')[0] as string) : value, condition),
    })),
  ],
  [
    'truncates large values',
    /a value of 1 MiB is/,
    broken((sound) => ({
      write: (key, value, condition) =>
        sound.write(key, JSON.stringify(value).length > 1 << 19 ? 'cut' : value, condition),
    })),
  ],
  [
    'stores values that are not JSON',
    /write of a Date gives/,
    broken((sound) => ({
      write: (key, value, condition) => sound.write(key, JSON.parse(JSON.stringify(value) ?? 'null'), condition),
    })),
  ],
  [
    'shares stored values with callers',
    /the value after the one that write gave has changed is \{"list":\[1,9/,
    broken((sound) => {
      const held = new Map<string, StoredDocument>();
      return {
        async write(key, value, condition) {
          const name = JSON.stringify(key);
          const written = await sound.write(key, value, condition);
          held.set(name, written);
          return written;
        },
        async remove(key, condition) {
          held.delete(JSON.stringify(key));
          return sound.remove(key, condition);
        },
        read: async (key) => held.get(JSON.stringify(key)),
      };
    }),
  ],
  [
    'copies a value too late',
    /the value after the one that was given has changed is \{"list":\[1,2\]/,
    broken((sound) => ({
      async write(key, value, condition) {
        const copy = [...key] as [string, ...string[]];
        await Promise.resolve();
        return sound.write(copy, value, condition);
      },
    })),
  ],
  [
    'ignores the case of keys',
    /the document \["alice"\] is \["ALICE"\]/,
    broken((sound) => {
      const lower = (key: readonly string[]) => key.map((segment) => segment.toLowerCase()) as [string, ...string[]];
      return {
        write: (key, value, condition) => sound.write(lower(key), value, condition),
        read: (key) => sound.read(lower(key)),
      };
    }),
  ],
  [
    'treats strings as segments',
    /list of a is /,
    broken((sound) => ({
      async list(prefix) {
        const keys = await sound.list([]);
        const begin = JSON.stringify(prefix).slice(0, -2);
        return keys.filter((key) => JSON.stringify(key).startsWith(begin));
      },
    })),
  ],
  [
    'accepts any key',
    /write to a key of a text gives/,
    broken((sound) => ({
      write: (key, value, condition) => sound.write(([] as string[]).concat(key) as [string], value, condition),
    })),
  ],
  [
    'accepts every writer in a race',
    /number of writes that were made is 6, not 1/,
    broken((sound) => ({
      async write(key, value, condition) {
        const revision = (await sound.read(key))?.revision ?? 0;
        if (condition?.ifRevision !== undefined && condition.ifRevision !== revision) {
          throw new HooklineError('STORE_CONFLICT', 'too late');
        }
        return sound.write(key, value);
      },
    })),
  ],
  ['never answers', /it takes longer than 200 ms/, broken(() => ({ history: () => new Promise(() => {}) }))],
];

describe('storeContract', () => {
  it('passes for memoryStore', async () => {
    const store = memoryStore();
    const { promises, issues } = await storeContract(() => store);
    expect(promises).to.have.length.greaterThan(14);
    expect(issues).to.deep.equal([]);
    expect(await store.list([])).to.deep.equal([]);
  });

  it('passes for fileStore, and leaves nothing in its folder', async () => {
    const folder = tempFolder('store');
    await storeContract(() => fileStore(folder));
    expect(readdirSync(folder)).to.deep.equal([]);
  });

  for (const [what, issue, make] of breaches) {
    it(`rejects a store that ${what}`, async () => {
      const options = what === 'never answers' ? { timeoutMs: 200 } : {};
      const thrown = await storeContract(make, options).then(
        () => undefined,
        (error: Error & { report: StoreContractReport }) => error,
      );
      expect(thrown?.message).to.match(issue);
      expect(thrown?.report.issues).to.not.be.empty;
    });
  }
});

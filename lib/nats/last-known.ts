import { hasCode } from '../errors/has-code.ts';
import type { DocumentKey, DocumentStore, StoredDocument } from '../store/documents/document-store.ts';

/** Maximum number of documents that are kept. */
const MOST = 10_000;

/**
 * Answers reads with the last known document while the store is away. Only documents whose key begins with one of `kinds` are kept, including those
 * that do not exist.
 */
export function lastKnown(store: DocumentStore, kinds: readonly string[]): DocumentStore {
  const known = new Map<string, StoredDocument | undefined>();

  function keep(key: DocumentKey, found: StoredDocument | undefined): void {
    if (!kinds.includes(key[0])) return;
    const name = JSON.stringify(key);
    known.delete(name);
    known.set(name, found);
    if (known.size > MOST) known.delete(known.keys().next().value as string);
  }

  return {
    ...store,
    async read(key) {
      try {
        const found = await store.read(key);
        keep(key, found);
        return found;
      } catch (thrown) {
        const name = JSON.stringify(key);
        if (!hasCode(thrown, 'STORE_FAILED') || !known.has(name)) throw thrown;
        return structuredClone(known.get(name));
      }
    },
    async write(key, value, condition) {
      const written = await store.write(key, value, condition);
      keep(key, written);
      return written;
    },
    async remove(key, condition) {
      const removed = await store.remove(key, condition);
      keep(key, undefined);
      return removed;
    },
  };
}

import { toJson } from '../../events/values/to-json.ts';
import { checkCondition, checkKey, checkPrefix } from './check-key.ts';
import type { DocumentKey, DocumentStore, StoredDocument } from './document-store.ts';
import { assertRevision, type Revision, withRevision } from './revisions.ts';

/** Stores documents in the memory of the process, for tests and for hosts without persistence. */
export function memoryStore(): DocumentStore {
  // Stored as JSON text, so that stored values are not shared with callers.
  const documents = new Map<string, string>();

  const revisionsOf = (name: string): readonly Revision[] => JSON.parse(documents.get(name) ?? '[]');
  const historyOf = (given: DocumentKey): readonly StoredDocument[] => {
    const key = checkKey(given);
    return revisionsOf(JSON.stringify(key)).map((revision) => ({ key: [...key], ...revision }));
  };

  return {
    async read(key) {
      return historyOf(key)[0];
    },
    async write(given, value, condition) {
      const key = checkKey(given);
      const ifRevision = checkCondition(condition);
      const name = JSON.stringify(key);
      const revisions = revisionsOf(name);
      const written = withRevision(revisions, toJson(value, 'value'));
      assertRevision(key, revisions, ifRevision);
      documents.set(name, JSON.stringify(written));
      return { key, ...written[0] };
    },
    async remove(given, condition) {
      const key = checkKey(given);
      const ifRevision = checkCondition(condition);
      const name = JSON.stringify(key);
      assertRevision(key, revisionsOf(name), ifRevision);
      return documents.delete(name);
    },
    async list(given) {
      const prefix = checkPrefix(given);
      const keys = [...documents.keys()].map((name): DocumentKey => JSON.parse(name));
      return keys.filter((key) => prefix.every((segment, at) => key[at] === segment));
    },
    async history(key) {
      return historyOf(key);
    },
  };
}

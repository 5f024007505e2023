import { toJson } from '../events/values/to-json.ts';
import { checkCondition, checkKey, checkPrefix } from '../store/documents/check-key.ts';
import type { DocumentKey, DocumentStore, StoredDocument } from '../store/documents/document-store.ts';
import { assertRevision, type Revision, withRevision } from '../store/documents/revisions.ts';
import type { Bucket, Held } from './bucket.ts';
import { textOf, tokenOf } from './tokens.ts';

/** A document with its revisions, newest first. */
interface Kept {
  readonly key: DocumentKey;
  readonly revisions: readonly Revision[];
}

interface Options {
  /** Number of revisions to keep (default: 10). */
  readonly revisions?: number;
  /** Revisions are sequences of the bucket, so that the revision of a removed document is not reused. Default: they start at 1. */
  readonly bySequence?: boolean;
}

/** Stores documents in a bucket. All servers of the fleet share them. */
export function natsDocuments(
  bucket: Bucket,
  { revisions: most = 10, bySequence = false }: Options = {},
): DocumentStore {
  const nameOf = (key: DocumentKey) => key.map(tokenOf).join('.');

  async function find(key: DocumentKey): Promise<{ held: Held | undefined; kept: Kept }> {
    const held = await bucket.get(nameOf(key));
    const kept: Kept = held ? JSON.parse(held.data.toString()) : { key, revisions: [] };
    if (!held || !bySequence) return { held, kept };
    return { held, kept: { ...kept, revisions: kept.revisions.map((one) => ({ ...one, revision: held.sequence })) } };
  }

  const documentsOf = ({ key, revisions }: Kept): readonly StoredDocument[] =>
    revisions.map((revision) => ({ key: [...key] as unknown as DocumentKey, ...revision }));

  return {
    async read(given) {
      return documentsOf((await find(checkKey(given))).kept)[0];
    },
    async write(given, value, condition) {
      const key = checkKey(given);
      const ifRevision = checkCondition(condition);
      const own = toJson(value, 'value');
      for (;;) {
        const { held, kept } = await find(key);
        assertRevision(key, kept.revisions, ifRevision);
        const revisions = withRevision(kept.revisions, own, most);
        const sequence = await bucket.put(nameOf(key), Buffer.from(JSON.stringify({ key, revisions })), held);
        if (sequence === undefined) continue;
        return { key, ...revisions[0], ...(bySequence && { revision: sequence }) };
      }
    },
    async remove(given, condition) {
      const key = checkKey(given);
      const ifRevision = checkCondition(condition);
      for (;;) {
        const { held, kept } = await find(key);
        assertRevision(key, kept.revisions, ifRevision);
        if (!held) return false;
        if (await bucket.remove(nameOf(key), held)) return true;
      }
    },
    async list(given) {
      const names = await bucket.names(checkPrefix(given));
      const keys = names.map(async (name) => {
        const texts = name.split('.').map(textOf);
        if (!texts.includes(undefined)) return texts as unknown as DocumentKey;
        const held = await bucket.get(name);
        return held && (JSON.parse(held.data.toString()) as Kept).key;
      });
      return (await Promise.all(keys)).filter((key) => key !== undefined);
    },
    async history(given) {
      return documentsOf((await find(checkKey(given))).kept);
    },
  };
}

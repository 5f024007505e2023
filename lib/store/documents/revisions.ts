import { HooklineError } from '../../errors.ts';
import type { JsonValue } from '../../events/values/json-value.ts';
import type { DocumentKey, StoredDocument } from './document-store.ts';

/** A stored revision, without its key. */
export type Revision = Omit<StoredDocument, 'key'>;

const HISTORY = 10;

/** Adds a revision with `value` to `revisions`, newest first. Drops the oldest if there are more than `most`. The first revision is `first`. */
export function withRevision(
  revisions: readonly Revision[],
  value: JsonValue,
  most = HISTORY,
  first = 1,
): readonly [Revision, ...Revision[]] {
  const next = {
    revision: revisions.length === 0 ? first : revisionOf(revisions) + 1,
    savedAt: new Date().toISOString(),
    value,
  };
  return [next, ...revisions.slice(0, most - 1)];
}

/** Throws `STORE_CONFLICT` unless the document has the expected revision. */
export function assertRevision(key: DocumentKey, revisions: readonly Revision[], ifRevision: number | undefined): void {
  const found = revisionOf(revisions);
  if (ifRevision === undefined || ifRevision === found) return;
  const is = found === 0 ? 'there is none' : `it has revision ${found}`;
  const expected = ifRevision === 0 ? 'not there yet' : `at revision ${ifRevision}`;
  throw new HooklineError(
    'STORE_CONFLICT',
    `The document ${JSON.stringify(key)} was expected to be ${expected}, but ${is}. Read it again, and repeat the change on that.`,
  );
}

function revisionOf(revisions: readonly Revision[]): number {
  return revisions[0]?.revision ?? 0;
}

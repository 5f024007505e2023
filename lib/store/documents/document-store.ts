import type { JsonValue } from '../../events/values/json-value.ts';

/** Names a document by one segment or several, of any text: `['configs', 'user', 'alice']`. */
export type DocumentKey = readonly [string, ...string[]];

/** One revision of a document. */
export interface StoredDocument {
  readonly key: DocumentKey;
  /** From 1, one more with each write. */
  readonly revision: number;
  /** When it was written, in ISO 8601. */
  readonly savedAt: string;
  readonly value: JsonValue;
}

/** What must be true of a document for a change to be made: it has this revision; 0 means that there is none. */
export interface WriteCondition {
  readonly ifRevision?: number;
}

/**
 * Where configurations, suspended runs and tokens are kept. A crash at any instant leaves the old revision or the new one. Several processes may
 * use one store: of two writes with the same `ifRevision` one is made, the other is refused with `STORE_CONFLICT`. Whatever else goes wrong is
 * `STORE_FAILED`, with its `cause`. `storeContract` checks an implementation.
 */
export interface DocumentStore {
  read(key: DocumentKey): Promise<StoredDocument | undefined>;
  /** Writes the next revision. The value is copied, and has to be JSON (`NOT_JSON`). */
  write(key: DocumentKey, value: JsonValue, condition?: WriteCondition): Promise<StoredDocument>;
  /** Removes a document with its history; false where there is none. */
  remove(key: DocumentKey, condition?: WriteCondition): Promise<boolean>;
  /** The keys that begin with these segments, in no particular order. */
  list(prefix: readonly string[]): Promise<readonly DocumentKey[]>;
  /** The last ten revisions, the newest first. */
  history(key: DocumentKey): Promise<readonly StoredDocument[]>;
}

import type { JsonValue } from '../../events/values/json-value.ts';

/** The key of a document: one or more segments of any text, such as `['configs', 'user', 'alice']`. */
export type DocumentKey = readonly [string, ...string[]];

/** One revision of a document. */
export interface StoredDocument {
  readonly key: DocumentKey;
  /** Starts at 1 and increases by one with each write. */
  readonly revision: number;
  /** Time of the write in ISO 8601. */
  readonly savedAt: string;
  readonly value: JsonValue;
}

/** The condition of a write: the document has this revision; 0 means that it does not exist. */
export interface WriteCondition {
  readonly ifRevision?: number;
}

/**
 * Stores configurations, suspended runs and tokens. A crash leaves either the old or the new revision. Several processes may share a store. Of two
 * writes with the same `ifRevision`, one succeeds and the other fails with `STORE_CONFLICT`. Other failures are `STORE_FAILED`, with their `cause`.
 * `storeContract` checks an implementation.
 */
export interface DocumentStore {
  read(key: DocumentKey): Promise<StoredDocument | undefined>;
  /** Writes the next revision. The value is copied, and must be JSON (`NOT_JSON`). */
  write(key: DocumentKey, value: JsonValue, condition?: WriteCondition): Promise<StoredDocument>;
  /** Removes a document with its history. Returns false if there is none. */
  remove(key: DocumentKey, condition?: WriteCondition): Promise<boolean>;
  /** Returns the keys that start with these segments, in no particular order. */
  list(prefix: readonly string[]): Promise<readonly DocumentKey[]>;
  /** Returns the last ten revisions, newest first. */
  history(key: DocumentKey): Promise<readonly StoredDocument[]>;
}

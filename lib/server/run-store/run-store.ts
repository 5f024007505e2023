import type { Observable } from 'rxjs';
import type { JsonObject } from '../../events/values/json-value.ts';

/** Identifies a run. */
export interface RunKey {
  readonly user: string;
  readonly runId: string;
}

/** A run in a list. */
export interface StoredRun extends RunKey {
  /** The last recorded state of the run. */
  readonly head: JsonObject;
}

/** The recorded entries of a run. */
export interface RunLog {
  readonly entries: readonly JsonObject[];
  /** Whether some entries could not be read, for example because a process or the disk failed in the middle of a line. */
  readonly cut: boolean;
}

/** An addition to the record of a run. */
export interface RunAddition {
  /** Entries to append. */
  readonly entries?: readonly JsonObject[];
  /** The new head. It replaces the current one. A head whose `view.state` is `ended` is final. */
  readonly head?: JsonObject;
}

/**
 * Stores runs: for each run an append-only log, and a head with its state. Several processes may share a store, but each log has one writer. A second
 * writer gets `STORE_CONFLICT`. Other failures are `STORE_FAILED`, with their `cause`. After a failure, the log may have
 * the first entries of the addition, or all. The caller reads the log, and appends the others again. A store may remove its oldest runs.
 * `runStoreContract` checks an implementation.
 */
export interface RunStore {
  /** Resolves when the addition can be read. Creates the run if it does not exist. Values must be JSON (`NOT_JSON`). */
  append(key: RunKey, addition: RunAddition): Promise<void>;
  /** Returns the head; undefined if there is none. */
  find(key: RunKey): Promise<JsonObject | undefined>;
  /** Returns the log entries from an index (0 is the first); empty if there are none. */
  read(key: RunKey, from?: number): Promise<RunLog>;
  /**
   * Emits the log entries so far (an empty list if there are none), then those that any writer appends. Never completes; fails with `STORE_FAILED`.
   * Without it, clients of a run on another server ask again each second.
   */
  follow?(key: RunKey): Observable<readonly JsonObject[]>;
  /** Lists the runs that have a head, of a user or of all users, in no particular order. Do not modify the result. */
  list(user?: string): Promise<readonly StoredRun[]>;
  /** Removes head and log. Returns false if neither exists. */
  remove(key: RunKey): Promise<boolean>;
  /**
   * Makes this process the writer of a run whose process is gone: replaces the head `seen` by `head`. Returns undefined if the head has changed, so of
   * several callers one gets the log. Additions of the earlier writer are then `STORE_CONFLICT`. An entry `takenOver` with the time marks the place.
   */
  takeOver?(key: RunKey, seen: JsonObject, head: JsonObject): Promise<RunLog | undefined>;
  /** Whether other processes can read all additions of a run. Default: yes. */
  isShared?(key: RunKey): boolean;
}

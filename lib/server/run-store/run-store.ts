import type { JsonObject } from '../../events/values/json-value.ts';

/** Names a run. */
export interface RunKey {
  readonly user: string;
  readonly runId: string;
}

/** A run as it is listed. */
export interface StoredRun extends RunKey {
  /** What was said of the run last: its state, in a few lines. */
  readonly head: JsonObject;
}

/** What was recorded of a run. */
export interface RunLog {
  readonly entries: readonly JsonObject[];
  /** Whether some of it could not be read: a process, or the disk, ended in the middle of a line. */
  readonly cut: boolean;
}

/** What is added to the record of a run. */
export interface RunAddition {
  /** Behind those that are there. */
  readonly entries?: readonly JsonObject[];
  /** In the place of the one that is there. */
  readonly head?: JsonObject;
}

/**
 * Where runs are recorded: of each a log that grows, and a head that tells how it stands. Several processes may use one store, but each log has one
 * writer: another one is `STORE_CONFLICT`. Whatever else goes wrong is `STORE_FAILED`, with its `cause`; a record that could not be added may be
 * added again. A store may forget its oldest runs. `runStoreContract` checks an implementation.
 */
export interface RunStore {
  /** Resolves when it can be read. The run is made when it is not there. Values have to be JSON (`NOT_JSON`). */
  append(key: RunKey, addition: RunAddition): Promise<void>;
  /** The head; undefined where there is none. */
  find(key: RunKey): Promise<JsonObject | undefined>;
  /** The log from the entry at that place on (0 is the first); empty where there is none. */
  read(key: RunKey, from?: number): Promise<RunLog>;
  /** The runs that have a head, of a user or of all, in no particular order. Not to be changed. */
  list(user?: string): Promise<readonly StoredRun[]>;
  /** Removes head and log; false where there is neither. */
  remove(key: RunKey): Promise<boolean>;
}

import type { LockTimes } from '../documents/file-lock.ts';
import { fileStore } from '../documents/file-store.ts';
import { documentState } from './document-state.ts';
import type { StateStore } from './state-store.ts';

/** Options of `fileStateStore`. */
export interface FileStateStoreOptions extends Partial<LockTimes> {
  /** Clock in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
}

/** Stores each entry as a JSON file in `folder`, which is created owner-only if necessary. Several processes may share a folder. */
export function fileStateStore(folder: string, options: FileStateStoreOptions = {}): StateStore {
  const { now, ...times } = options;
  const documents = fileStore(folder, { ...times, revisions: 1, randomStart: true });
  return documentState(
    { ...documents, list: (prefix, scan) => documents.list(prefix, { skipUnreadable: scan === 'scan' }) },
    { where: 'Give the store a folder of its own.', ...(now && { now }) },
  );
}

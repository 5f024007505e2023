import { randomInt } from 'node:crypto';
import { readdir, unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { HooklineError } from '../../errors.ts';
import { toJson } from '../../events/values/to-json.ts';
import { checkCondition, checkKey, checkPrefix } from './check-key.ts';
import { type DocumentFile, readDocument, writtenDocument } from './document-file.ts';
import type { DocumentKey, DocumentStore, StoredDocument } from './document-store.ts';
import { type LockTimes, withFileLock } from './file-lock.ts';
import { fileName, keyOfFileName, mayBeBelow } from './file-name.ts';
import { makeFolder } from './make-folder.ts';
import { assertRevision, withRevision } from './revisions.ts';
import { syncFolder } from './sync-folder.ts';
import { sweepOldTemporaries } from './temporary-files.ts';

/** Options of `fileStore`. Times are in milliseconds. */
export interface FileStoreOptions extends Partial<LockTimes> {
  /** Maximum number of revisions per document (default: 10). */
  readonly revisions?: number;
  /** Whether the revisions of a document start at a random number, so that those of a removed document are not reused. Default: they start at 1. */
  readonly randomStart?: boolean;
}

/** A store of documents in files. */
interface FileStore extends DocumentStore {
  /** With `skipUnreadable`, skips unreadable files whose key is only in their content. */
  list(prefix: readonly string[], options?: { readonly skipUnreadable?: boolean }): Promise<readonly DocumentKey[]>;
}

const STALE_MS = 5_000;
const WAIT_MS = 15_000;

/**
 * Stores each document with its history as one JSON file in `folder`, which is created owner-only if necessary. A write replaces the file atomically,
 * and resolves when the data is on disk. Reads take no lock. Writers of several processes take turns. The lock of a crashed process is taken over
 * after `staleMs` (5,000; at least 2,000). A writer waits for a lock for at most `waitMs` (15,000).
 */
export function fileStore(folder: string, options: FileStoreOptions = {}): FileStore {
  const { staleMs = STALE_MS, waitMs = WAIT_MS } = options;
  if (typeof folder !== 'string' || folder === '') {
    throw new HooklineError('OPTIONS_INVALID', 'fileStore(folder): the folder must be a path.');
  }
  if (!(staleMs >= 2_000 && waitMs >= 0)) {
    const what = `staleMs must be 2,000 or more and waitMs 0 or more, not ${staleMs} and ${waitMs}`;
    throw new HooklineError('OPTIONS_INVALID', `fileStore(folder, options): ${what}.`);
  }
  if (options.revisions !== undefined && !(Number.isSafeInteger(options.revisions) && options.revisions > 0)) {
    const what = `revisions must be a whole number from 1, not ${options.revisions}`;
    throw new HooklineError('OPTIONS_INVALID', `fileStore(folder, options): ${what}.`);
  }
  const root = resolve(folder);
  const times = { staleMs, waitMs };
  const first = () => (options.randomStart ? randomInt(1, 2 ** 48 - 1) : 1);
  const pathOf = (key: DocumentKey) => join(root, fileName(key));
  let opened: Promise<void> | undefined;

  async function load(key: DocumentKey): Promise<DocumentFile> {
    const path = pathOf(key);
    const file = await readDocument(path);
    if (file && fileName(file.key) !== fileName(key)) {
      const what = `"${path}" holds the document ${JSON.stringify(file.key)}, not ${JSON.stringify(key)}`;
      throw new HooklineError('STORE_FAILED', `${what}. Give the file back the name that it had.`);
    }
    return { key, revisions: file?.revisions ?? [] };
  }

  /** Creates the folder for each write, because it may have been removed. Removes old temporary files once. */
  async function open(): Promise<void> {
    const made = makeFolder(root, 0o700);
    if (made !== undefined) await syncFolder(dirname(made));
    opened ??= sweepOldTemporaries(root);
    await opened;
  }

  async function change<T>(key: DocumentKey, work: (file: DocumentFile, assertHeld: () => void) => Promise<T>) {
    return reporting(`change the document ${JSON.stringify(key)}`, async () => {
      await open();
      return withFileLock(pathOf(key), times, async (assertHeld) => work(await load(key), assertHeld));
    });
  }

  async function history(given: DocumentKey): Promise<readonly StoredDocument[]> {
    const key = checkKey(given);
    const { revisions } = await reporting(`read the document ${JSON.stringify(key)}`, () => load(key));
    return revisions.map((revision) => ({ key: [...key], ...revision }));
  }

  async function reporting<T>(what: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      if (cause instanceof HooklineError) throw cause;
      const why = (cause as Error).message;
      throw new HooklineError('STORE_FAILED', `The store in "${root}" cannot ${what}: ${why}`, { cause });
    }
  }

  return {
    history,
    async read(key) {
      return (await history(key))[0];
    },
    async write(given, value, condition) {
      const key = checkKey(given);
      const ifRevision = checkCondition(condition);
      const copy = toJson(value, 'value');
      return change(key, async (file, assertHeld) => {
        assertRevision(key, file.revisions, ifRevision);
        const revisions = withRevision(file.revisions, copy, options.revisions, first());
        assertHeld();
        await writeFileAtomic(pathOf(key), writtenDocument({ key, revisions }), { mode: 0o600 });
        await syncFolder(root);
        assertHeld();
        return { key, ...revisions[0] };
      });
    },
    async remove(given, condition) {
      const key = checkKey(given);
      const ifRevision = checkCondition(condition);
      return change(key, async ({ revisions }, assertHeld) => {
        assertRevision(key, revisions, ifRevision);
        if (revisions.length === 0) return false;
        assertHeld();
        await unlink(pathOf(key));
        await syncFolder(root);
        return true;
      });
    },
    async list(given, { skipUnreadable = false } = {}) {
      const prefix = checkPrefix(given);
      return reporting('list its documents', async () => {
        const names = await readdir(root).catch((thrown: NodeJS.ErrnoException) => {
          if (thrown.code === 'ENOENT') return [];
          throw thrown;
        });
        const keys: DocumentKey[] = [];
        for (const name of names) {
          const nameKey = keyOfFileName(name);
          if (nameKey === 'long' && !mayBeBelow(name, prefix)) continue;
          const read = () => readDocument(join(root, name));
          const file = nameKey === 'long' ? await (skipUnreadable ? read().catch(() => undefined) : read()) : undefined;
          const key = nameKey === 'long' ? file?.key : nameKey;
          if (key && prefix.every((segment, at) => key[at] === segment)) keys.push(key);
        }
        return keys;
      });
    },
  };
}

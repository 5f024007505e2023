import { rm, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import { parseOptions } from '../../errors/parse-options.ts';
import { HooklineError } from '../../errors.ts';
import type { JsonObject } from '../../events/values/json-value.ts';
import { toJson } from '../../events/values/to-json.ts';
import { withFileLock } from '../../store/documents/file-lock.ts';
import { fileName } from '../../store/documents/file-name.ts';
import { inTurn } from '../../store/documents/in-turn.ts';
import { makeFolder } from '../../store/documents/make-folder.ts';
import { knownHeads, unlessMissing } from './known-heads.ts';
import { createLogFiles } from './log-files.ts';
import type { RunKey, RunStore, StoredRun } from './run-store.ts';
import { directoriesIn, sweepRuns } from './sweep-runs.ts';

const optionsSchema = z.strictObject({
  keepMs: z
    .number()
    .positive()
    .default(30 * 24 * 3_600_000),
  keepBytes: z
    .number()
    .positive()
    .default(1024 ** 3),
  sweepMs: z.number().positive().default(600_000),
  flush: z.boolean().default(false),
});

/** Times of the lock of a take-over, in milliseconds. */
const TAKE_OVER = { staleMs: 5_000, waitMs: 15_000 };

/**
 * Limits of stored runs: `keepMs` since their last change (30 days), `keepBytes` in total (1 GiB). Checked every `sweepMs` (10 minutes). With `flush`,
 * additions are on the disk when `append` resolves, so that they survive a power failure (default: false).
 */
export type FileRunStoreOptions = z.input<typeof optionsSchema>;

/**
 * Stores runs in `folder`, which is created owner-only if necessary, with one directory per user. Each run has a file for its head, replaced
 * atomically, and a log of JSON Lines. Incomplete lines are skipped, and `read` reports them. After a take-over, the log continues in another file.
 * The oldest runs are removed when they expire, or when the total size exceeds the limit. Suspended runs stay. An index in memory holds the heads of
 * 20,000 runs.
 */
export function fileRunStore(folder: string, options: FileRunStoreOptions = {}): RunStore {
  const { sweepMs, flush, ...keep } = parseOptions('fileRunStore(): invalid options', optionsSchema, options);
  const root = resolve(folder);
  const logs = createLogFiles(flush);
  const heads = knownHeads();
  let sweptAt = -Infinity;

  const folderOf = (user: string) => join(root, basename(fileName([user]), '.json'));
  const headOf = ({ user, runId }: RunKey) => join(folderOf(user), fileName([runId]));

  async function telling<T>(what: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      if (cause instanceof HooklineError) throw cause;
      const { code, message } = cause as NodeJS.ErrnoException;
      const why = code === 'ENOSPC' || code === 'EDQUOT' ? 'the disk is full' : message;
      throw new HooklineError('STORE_FAILED', `Run store "${root}": cannot ${what}: ${why}.`, { cause });
    }
  }

  async function sweep(): Promise<void> {
    if (performance.now() - sweptAt < sweepMs) return;
    sweptAt = performance.now();
    for (const gone of await sweepRuns(root, keep)) heads.forget(gone);
  }

  async function writeHead(path: string, stored: StoredRun): Promise<void> {
    await writeFileAtomic(path, JSON.stringify(stored), { mode: 0o600, fsync: false });
    heads.wrote(path, stored);
  }

  /** The caller holds the lock of the head. */
  async function takeOver(key: RunKey, seen: JsonObject, head: JsonObject, assertHeld: () => void) {
    const path = headOf(key);
    if (!isDeepStrictEqual((await heads.find(path))?.head, seen)) return undefined;
    assertHeld();
    const log = await logs.takeOver(logOf(path));
    if (!log) return undefined;
    assertHeld();
    await writeHead(path, { user: key.user, runId: key.runId, head });
    await logs.assertOwn(logOf(path), key.runId);
    return log;
  }

  return {
    append: ({ user, runId }, addition) =>
      telling(`record the run ${JSON.stringify(runId)}`, async () => {
        const { entries = [], head } = toJson(addition, 'addition') as typeof addition;
        const path = headOf({ user, runId });
        await inTurn(path, async () => {
          makeFolder(root, 0o700);
          makeFolder(folderOf(user), 0o700);
          if (entries.length > 0) await logs.append(logOf(path), entries, runId);
          if (!head) return;
          if (entries.length === 0) await logs.assertOwn(logOf(path), runId);
          await writeHead(path, { user, runId, head });
        });
        await sweep();
      }),
    find: (key) => telling('be read', async () => structuredClone((await heads.find(headOf(key)))?.head)),
    read: (key, from = 0) => telling('be read', () => logs.read(logOf(headOf(key)), from)),
    list: (user) =>
      telling('be listed', async () => {
        if (user !== undefined) return heads.in(folderOf(user));
        return (await Promise.all((await directoriesIn(root)).map(heads.in))).flat();
      }),
    remove: (key) =>
      telling(`remove the run ${JSON.stringify(key.runId)}`, async () => {
        const path = headOf(key);
        heads.forget(path);
        const there = await stat(path).catch(unlessMissing);
        await rm(path, { force: true });
        return (await logs.remove(logOf(path))) || there !== undefined;
      }),
    takeOver: (key, seen, head) =>
      telling(`take over the run ${JSON.stringify(key.runId)}`, async () => {
        const path = headOf(key);
        if ((await stat(path).catch(unlessMissing)) === undefined) return undefined;
        const next = toJson(head, 'head') as JsonObject;
        return withFileLock(path, TAKE_OVER, (assertHeld) => takeOver(key, seen, next, assertHeld));
      }),
  };
}

function logOf(head: string): string {
  return `${head}l`;
}

import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import { parseOptions } from '../../errors/parse-options.ts';
import { HooklineError } from '../../errors.ts';
import { jsonObjectSchema } from '../../events/values/json-value.ts';
import { toJson } from '../../events/values/to-json.ts';
import { fileName } from '../../store/documents/file-name.ts';
import { inTurn } from '../../store/documents/in-turn.ts';
import { makeFolder } from '../../store/documents/make-folder.ts';
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
});

/** Limits of stored runs: `keepMs` since their last change (30 days), `keepBytes` in total (1 GiB). Checked every `sweepMs` (10 minutes). */
export type FileRunStoreOptions = z.input<typeof optionsSchema>;

/** Maximum number of heads in memory. */
const MOST_KNOWN = 10_000;

const headFileSchema = z.strictObject({ user: z.string(), runId: z.string(), head: jsonObjectSchema });

/**
 * Stores runs in `folder`, which is created owner-only if necessary, with one directory per user. Each run has a file for its head, replaced
 * atomically, and a log of JSON Lines. Incomplete lines are skipped, and `read` reports them. The oldest runs are removed when they expire, or when
 * the total size exceeds the limit. Suspended runs stay.
 */
export function fileRunStore(folder: string, options: FileRunStoreOptions = {}): RunStore {
  const { sweepMs, ...keep } = parseOptions('fileRunStore(): invalid options', optionsSchema, options);
  const root = resolve(folder);
  const logs = createLogFiles();
  /** A cache of heads by file, with a key that changes with the file. */
  const known = new Map<string, { readonly state: string; readonly run: StoredRun | undefined }>();
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

  /** Returns the current head in a file; undefined if it is missing or unreadable. */
  async function headIn(path: string): Promise<StoredRun | undefined> {
    const found = await stat(path, { bigint: true }).catch(unlessMissing);
    if (!found) return undefined;
    const state = `${found.ino}.${found.mtimeNs}.${found.size}`;
    const before = known.get(path);
    if (before?.state === state) return before.run;
    const text = await readFile(path, 'utf8').catch(unlessMissing);
    const run = text === undefined ? undefined : parseHead(text);
    known.delete(path);
    known.set(path, { state, run });
    const [oldest] = known.keys();
    if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
    return run;
  }

  async function headsIn(directory: string): Promise<readonly StoredRun[]> {
    const names = (await readdir(directory).catch(unlessMissing)) ?? [];
    const runs = await Promise.all(
      names.filter((name) => name.endsWith('.json')).map((name) => headIn(join(directory, name))),
    );
    return runs.filter((run) => run !== undefined);
  }

  async function sweep(): Promise<void> {
    if (performance.now() - sweptAt < sweepMs) return;
    sweptAt = performance.now();
    for (const gone of await sweepRuns(root, keep)) known.delete(gone);
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
          if (head) await writeFileAtomic(path, JSON.stringify({ user, runId, head }), { mode: 0o600, fsync: false });
        });
        await sweep();
      }),
    find: (key) => telling('be read', async () => structuredClone((await headIn(headOf(key)))?.head)),
    read: (key, from = 0) => telling('be read', () => logs.read(logOf(headOf(key)), from)),
    list: (user) =>
      telling('be listed', async () => {
        const directories = user === undefined ? await directoriesIn(root) : [folderOf(user)];
        return (await Promise.all(directories.map(headsIn))).flat();
      }),
    remove: (key) =>
      telling(`remove the run ${JSON.stringify(key.runId)}`, async () => {
        const path = headOf(key);
        const there = await Promise.all([path, logOf(path)].map((one) => stat(one).catch(unlessMissing)));
        await Promise.all([path, logOf(path)].map((one) => rm(one, { force: true })));
        return there.some((one) => one !== undefined);
      }),
  };
}

function logOf(head: string): string {
  return `${head}l`;
}

function parseHead(text: string): StoredRun | undefined {
  try {
    return headFileSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function unlessMissing(thrown: NodeJS.ErrnoException): undefined {
  if (thrown.code !== 'ENOENT') throw thrown;
}

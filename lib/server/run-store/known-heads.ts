import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { jsonObjectSchema } from '../../events/values/json-value.ts';
import { inTurn } from '../../store/documents/in-turn.ts';
import { hasEnded } from './head-state.ts';
import type { StoredRun } from './run-store.ts';

/** An index of the heads in files, in memory. Other processes may write the files, too. */
export interface KnownHeads {
  /** Returns the current head in a file; undefined if it is missing or unreadable. */
  find(path: string): Promise<StoredRun | undefined>;
  /** Returns the current heads in a directory, the same list while nothing changes. Reads only files that are new, and those of active and suspended runs that have changed. */
  in(directory: string): Promise<readonly StoredRun[]>;
  /** Records a write of this process. */
  wrote(path: string, run: StoredRun): void;
  forget(path: string): void;
}

interface Known {
  /** Changes with the file. Undefined after a write of this process. */
  readonly state: string | undefined;
  readonly run: StoredRun | undefined;
}

/** Maximum number of heads in memory. Beyond it, the oldest are read again for each list. */
const MOST_KNOWN = 20_000;
/** Number of files that are read at the same time. */
const AT_ONCE = 64;
/** The time of a file system may advance in steps. */
const SETTLED_MS = 2_000;

const headFileSchema = z.strictObject({ user: z.string(), runId: z.string(), head: jsonObjectSchema });

export function knownHeads(): KnownHeads {
  /** By directory and name, oldest first. */
  const directories = new Map<string, Map<string, Known>>();
  /** The heads in a directory as of its last change. */
  const lists = new Map<string, { readonly changedAt: bigint; readonly runs: readonly StoredRun[] }>();
  let size = 0;

  function keep(path: string, known: Known, atAnyCost = false): void {
    const [directory, name] = [dirname(path), basename(path)];
    const heads = directories.get(directory) ?? new Map<string, Known>();
    if (!heads.has(name)) {
      if (size >= MOST_KNOWN && !atAnyCost) return;
      if (size >= MOST_KNOWN) forgetOldest();
      size += 1;
    }
    directories.set(directory, heads.set(name, known));
  }

  function forgetOldest(): void {
    for (const [directory, heads] of directories) {
      const [name] = heads.keys();
      if (name === undefined) continue;
      forget(join(directory, name));
      return;
    }
  }

  function forget(path: string): void {
    const heads = directories.get(dirname(path));
    if (!heads?.delete(basename(path))) return;
    size -= 1;
    lists.delete(dirname(path));
    if (heads.size === 0) directories.delete(dirname(path));
  }

  async function find(path: string): Promise<StoredRun | undefined> {
    const found = await stat(path, { bigint: true }).catch(unlessMissing);
    if (!found) {
      forget(path);
      return undefined;
    }
    const state = `${found.ino}.${found.mtimeNs}.${found.size}`;
    const before = directories.get(dirname(path))?.get(basename(path));
    if (before?.state === state) return before.run;
    const text = await readFile(path, 'utf8').catch(unlessMissing);
    const run = text === undefined ? undefined : parseHead(text);
    keep(path, { state, run });
    return run;
  }

  return {
    find,
    forget,
    in: (directory) =>
      // Concurrent lists read each file once.
      inTurn(directory, async () => {
        const found = await stat(directory, { bigint: true }).catch(unlessMissing);
        if (!found) return [];
        const { mtimeNs: changedAt, mtimeMs } = found;
        const listed = lists.get(directory);
        // Each head is replaced by a new file, which changes the directory.
        if (listed?.changedAt === changedAt) return listed.runs;
        // A further change might have the same time.
        const settled = Date.now() - Number(mtimeMs) > SETTLED_MS;
        const entries = (await readdir(directory).catch(unlessMissing)) ?? [];
        const names = new Set(entries.filter((name) => name.endsWith('.json')));
        for (const name of directories.get(directory)?.keys() ?? [])
          if (!names.has(name)) forget(join(directory, name));
        const runs: StoredRun[] = [];
        const unsure: string[] = [];
        for (const name of names) {
          const run = directories.get(directory)?.get(name)?.run;
          // The head of an ended run is final.
          if (run && hasEnded(run.head)) runs.push(run);
          else unsure.push(join(directory, name));
        }
        for (let at = 0; at < unsure.length; at += AT_ONCE) {
          const found = await Promise.all(unsure.slice(at, at + AT_ONCE).map(find));
          runs.push(...found.filter((run) => run !== undefined));
        }
        if (settled && size < MOST_KNOWN) lists.set(directory, { changedAt, runs });
        return runs;
      }),
    wrote: (path, run) => keep(path, { state: undefined, run }, true),
  };
}

function parseHead(text: string): StoredRun | undefined {
  try {
    return headFileSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export function unlessMissing(thrown: NodeJS.ErrnoException): undefined {
  if (thrown.code !== 'ENOENT') throw thrown;
}

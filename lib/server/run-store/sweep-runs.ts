import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isSuspended } from './head-state.ts';
import { unlessMissing } from './known-heads.ts';
import { logOfPart } from './log-parts.ts';

/** Limits of stored runs. */
export interface Keep {
  readonly keepMs: number;
  readonly keepBytes: number;
}

interface Found {
  readonly head: string;
  /** All its files. */
  readonly files: string[];
  size: number;
  /** Modification time of the newest file of the run. */
  changedAt: number;
}

/**
 * Removes expired runs, then the oldest ones until the total size is within the limit. Suspended runs stay, because their approvals show them.
 * Returns the files of the removed heads.
 */
export async function sweepRuns(root: string, { keepMs, keepBytes }: Keep): Promise<readonly string[]> {
  const runs = (await Promise.all((await directoriesIn(root)).map(runsIn))).flat();
  const oldest = runs.sort((a, b) => a.changedAt - b.changedAt);
  let left = oldest.reduce((sum, { size }) => sum + size, 0);
  const gone: string[] = [];
  for (const { head, files, size, changedAt } of oldest) {
    if (left <= keepBytes && changedAt > Date.now() - keepMs) break;
    if (await isPending(head)) continue;
    await Promise.all(files.map((path) => rm(path, { force: true })));
    gone.push(head);
    left -= size;
  }
  return gone;
}

/** Returns the directories of the users. */
export async function directoriesIn(root: string): Promise<readonly string[]> {
  const entries = (await readdir(root, { withFileTypes: true }).catch(unlessMissing)) ?? [];
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(root, name));
}

async function runsIn(directory: string): Promise<readonly Found[]> {
  const runs = new Map<string, Found>();
  for (const name of await readdir(directory)) {
    if (!/\.jsonl?$/.test(name)) continue;
    const found = await stat(join(directory, name)).catch(() => undefined);
    if (!found) continue;
    const head = join(directory, logOfPart(name).replace(/l$/, ''));
    const run = runs.get(head) ?? { head, files: [], size: 0, changedAt: 0 };
    run.files.push(join(directory, name));
    run.size += found.size;
    run.changedAt = Math.max(run.changedAt, found.mtimeMs);
    runs.set(head, run);
  }
  return [...runs.values()];
}

async function isPending(head: string): Promise<boolean> {
  try {
    return isSuspended(JSON.parse(await readFile(head, 'utf8')).head);
  } catch {
    return false;
  }
}

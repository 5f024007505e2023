import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Limits of stored runs. */
export interface Keep {
  readonly keepMs: number;
  readonly keepBytes: number;
}

interface Found {
  readonly head: string;
  size: number;
  /** Modification time of the newest file of the run. */
  changedAt: number;
}

/** Removes expired runs, then the oldest ones until the total size is within the limit. Returns the files of the removed heads. */
export async function sweepRuns(root: string, { keepMs, keepBytes }: Keep): Promise<readonly string[]> {
  const runs = new Map<string, Found>();
  for (const name of await readdir(root)) {
    if (!/\.jsonl?$/.test(name)) continue;
    const found = await stat(join(root, name)).catch(() => undefined);
    if (!found) continue;
    const head = join(root, name.replace(/l$/, ''));
    const run = runs.get(head) ?? { head, size: 0, changedAt: 0 };
    run.size += found.size;
    run.changedAt = Math.max(run.changedAt, found.mtimeMs);
    runs.set(head, run);
  }
  const oldest = [...runs.values()].sort((a, b) => a.changedAt - b.changedAt);
  let left = oldest.reduce((sum, { size }) => sum + size, 0);
  const gone: string[] = [];
  for (const { head, size, changedAt } of oldest) {
    if (left <= keepBytes && changedAt > Date.now() - keepMs) break;
    await Promise.all([head, `${head}l`].map((path) => rm(path, { force: true })));
    gone.push(head);
    left -= size;
  }
  return gone;
}

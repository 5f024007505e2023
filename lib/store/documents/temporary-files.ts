import { readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

const TEMPORARY = /\.json\.\d+$/;
const HOUR = 3_600_000;

/** Removes leftover temporary files of the file at `path`. The caller must hold its lock, or know that its owner is gone. */
export async function sweepTemporaries(path: string): Promise<void> {
  const begin = `${basename(path)}.`;
  await sweep(dirname(path), async (name) => name.startsWith(begin));
}

/** Removes temporary files of a folder that are older than an hour, because no active write uses them. */
export async function sweepOldTemporaries(folder: string): Promise<void> {
  await sweep(folder, async (name) => {
    const found = await stat(join(folder, name)).catch(() => undefined);
    return found !== undefined && found.mtimeMs < Date.now() - HOUR;
  });
}

async function sweep(folder: string, isLeft: (name: string) => Promise<boolean>): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    if (!TEMPORARY.test(name) || !(await isLeft(name))) continue;
    await rm(join(folder, name), { force: true }).catch(() => {});
  }
}

import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PREFIX = 'hookline-claude-';
/** A folder of a process that was killed is removed by a later one, when nothing was written into it for so long. */
const STALE_MS = 3_600_000;
const mine = new Set<string>();

/** Makes a folder of the system's own, that is gone when this process ends. */
export function makeTempFolder(): string {
  if (mine.size === 0) {
    process.on('exit', removeMine);
    removeStale();
  }
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
  mine.add(folder);
  return folder;
}

/** Removes a folder with all that is in it. */
export function removeTempFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mine.delete(folder);
  if (mine.size === 0) process.off('exit', removeMine);
}

function removeMine(): void {
  for (const folder of mine) rmSync(folder, { recursive: true, force: true });
}

/** What a process that was killed has left behind. */
function removeStale(): void {
  for (const name of temporary()) {
    const pid = /^hookline-claude-(\d+)-/.exec(name)?.[1];
    if (pid === undefined || lives(Number(pid))) continue;
    const folder = join(tmpdir(), name);
    try {
      if (Date.now() - statSync(folder).mtimeMs >= STALE_MS) rmSync(folder, { recursive: true, force: true });
    } catch {
      // Another user's, or removed by another process just now: nothing is lost by leaving it.
    }
  }
}

function temporary(): readonly string[] {
  try {
    return readdirSync(tmpdir());
  } catch {
    return [];
  }
}

function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

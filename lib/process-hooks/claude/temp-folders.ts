import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PREFIX = 'hookline-claude-';
/** A folder of a killed process is removed by a later process after this time without writes. */
const STALE_MS = 3_600_000;
const mine = new Set<string>();

/** Creates a temporary folder that is removed when this process exits. */
export function makeTempFolder(): string {
  if (mine.size === 0) {
    process.on('exit', removeMine);
    removeStale();
  }
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
  mine.add(folder);
  return folder;
}

export function removeTempFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mine.delete(folder);
  if (mine.size === 0) process.off('exit', removeMine);
}

function removeMine(): void {
  for (const folder of mine) rmSync(folder, { recursive: true, force: true });
}

/** Removes folders of killed processes. */
function removeStale(): void {
  for (const name of temporary()) {
    const pid = /^hookline-claude-(\d+)-/.exec(name)?.[1];
    if (pid === undefined || lives(Number(pid))) continue;
    const folder = join(tmpdir(), name);
    try {
      if (Date.now() - statSync(folder).mtimeMs >= STALE_MS) rmSync(folder, { recursive: true, force: true });
    } catch {
      // The folder belongs to another user, or another process just removed it. It can stay.
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

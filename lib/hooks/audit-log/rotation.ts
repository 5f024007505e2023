import { closeSync, openSync, readSync, renameSync, rmdirSync, rmSync, type Stats, statSync } from 'node:fs';
import { type LockFolder, makeLockFolder } from '../../store/documents/lock-folder.ts';
import { fileIdentity } from './file-identity.ts';
import { rotatedFiles, rotatedName } from './rotated-files.ts';

/** The conditions for rotating a file. */
export interface RotationOptions {
  readonly maxBytes?: number | undefined;
  readonly daily?: boolean | undefined;
  readonly keep?: number | undefined;
}

const HEAD_BYTES = 512;
const STALE_MS = 10_000;

/**
 * Creates a function to call before `bytes` are appended to the file at `path`. It renames the file if they belong in a new one. Of several
 * processes, one renames the file; a process that cannot do so appends to the old file. Throws file system errors, without losing lines.
 */
export function createRotation(
  path: string,
  { maxBytes = Number.POSITIVE_INFINITY, daily = false, keep }: RotationOptions,
  now: () => number,
  mode: number,
): (bytes: number) => void {
  let known: { readonly file: string; readonly day: string } | undefined;

  function dayOf(stats: Stats): string {
    const file = fileIdentity(stats);
    if (known?.file !== file) known = { file, day: firstDay(path) ?? isoDay(stats.mtimeMs) };
    return known.day;
  }

  function isDue(stats: Stats, bytes: number): boolean {
    if (stats.size === 0) return false;
    return stats.size + bytes > maxBytes || (daily && dayOf(stats) < isoDay(now()));
  }

  function rotate(stats: Stats): void {
    const last = rotatedFiles(path).at(-1);
    const day = dayOf(stats);
    // Names stay in order if a clock goes back.
    const date = last && last.date > day ? last.date : day;
    const target = reserve(path, date, last?.date === date ? last.number + 1 : 1, mode);
    try {
      renameSync(path, target);
    } catch (thrown) {
      rmSync(target, { force: true });
      throw thrown;
    }
    if (keep === undefined) return;
    for (const old of rotatedFiles(path).slice(0, -keep)) rmSync(old.path, { force: true });
  }

  return (bytes) => {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats || !isDue(stats, bytes)) return;
    const lock = tryLock(path);
    if (!lock) return;
    try {
      // Another process may have rotated first.
      const again = statSync(path, { throwIfNoEntry: false });
      if (again && fileIdentity(again) === fileIdentity(stats)) rotate(again);
    } finally {
      lock.release();
    }
  };
}

/** Creates an empty file under a free name, so that the next process uses another name. */
function reserve(path: string, date: string, first: number, mode: number): string {
  for (let number = first; ; number += 1) {
    const name = rotatedName(path, date, number);
    try {
      closeSync(openSync(name, 'wx', mode));
      return name;
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw thrown;
    }
  }
}

/** Takes the lock unless another process holds it. A lock is held only briefly, so an old one remains from a crash. */
function tryLock(path: string): LockFolder | undefined {
  const place = `${path}.lock`;
  const lock = makeLockFolder(place);
  if (lock) return lock;
  const found = statSync(place, { throwIfNoEntry: false });
  if (!found || found.mtimeMs > Date.now() - STALE_MS) return undefined;
  rmdirSync(place);
  return makeLockFolder(place);
}

/** Returns the day of the first record of a file. */
function firstDay(path: string): string | undefined {
  const fd = openSync(path, 'r');
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    const length = readSync(fd, head, 0, HEAD_BYTES, 0);
    return /"timestamp":"(\d{4}-\d\d-\d\d)T/.exec(head.toString('latin1', 0, length))?.[1];
  } finally {
    closeSync(fd);
  }
}

function isoDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

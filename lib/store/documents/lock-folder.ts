import { mkdirSync, rmdirSync, statSync, utimesSync } from 'node:fs';

/** A lock: a folder, which only one process can create. Its time is the heartbeat of its owner. */
export interface LockFolder {
  /** Whether no other process has taken it over. */
  isHeld(): boolean;
  /** Renews the time. Never throws. */
  beat(): void;
  /** Removes the folder if it is held. Never throws. */
  release(): void;
}

const held = new Set<LockFolder>();

/** Creates the folder at `path`, or returns `undefined` if it exists. It is removed when the process exits. Throws other file system errors. */
export function makeLockFolder(path: string): LockFolder | undefined {
  try {
    mkdirSync(path);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
    throw thrown;
  }
  let time = timeOf(path);
  const isHeld = (): boolean => time !== undefined && timeOf(path) === time;
  const lock: LockFolder = {
    isHeld,
    // Synchronous from the check to the change, so that no task of this process can delay the change.
    beat() {
      if (!isHeld()) return;
      try {
        utimesSync(path, new Date(), new Date());
        // As the file system stores it.
        time = timeOf(path);
      } catch {
        // The next heartbeat tries again.
      }
    },
    release() {
      held.delete(lock);
      try {
        if (isHeld()) rmdirSync(path);
      } catch {
        // A lock that cannot be removed becomes stale.
      }
    },
  };
  if (held.size === 0) process.off('exit', releaseAll).once('exit', releaseAll);
  held.add(lock);
  return lock;
}

function releaseAll(): void {
  for (const lock of held) lock.release();
}

function timeOf(path: string): number | undefined {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return undefined;
  }
}

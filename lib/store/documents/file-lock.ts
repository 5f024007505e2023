import { rmdir, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { HooklineError } from '../../errors.ts';
import { inTurn } from './in-turn.ts';
import { type LockFolder, makeLockFolder } from './lock-folder.ts';
import { forgetOwner, isOrphaned, ownerOf, writeOwner } from './lock-owner.ts';
import { sweepTemporaries } from './temporary-files.ts';

/** Times of a lock in milliseconds. */
export interface LockTimes {
  /** Time without a heartbeat after which the owner counts as crashed. */
  readonly staleMs: number;
  /** Maximum time to wait for a lock. */
  readonly waitMs: number;
  /** Maximum time between attempts (default: 13). */
  readonly pollMs?: number;
}

const POLL_MS = 13;

/**
 * Runs `work` while this process holds the lock of the file at `path`. Takes over the lock of a crashed owner. If the wait times out, fails with
 * `STORE_FAILED` and names the owner. `work` receives a function that throws if the lock was lost. The signal ends the wait, with its reason.
 */
export function withFileLock<T>(
  path: string,
  times: LockTimes,
  work: (assertHeld: () => void) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  return inTurn(path, async () => {
    const lock = await acquire(path, times, signal);
    const heartbeat = setInterval(lock.beat, times.staleMs / 3).unref();
    await writeOwner(path);
    const assertHeld = () => {
      if (lock.isHeld()) return;
      const what = `The lock of "${path}" was lost, as this process was held up for more than ${times.staleMs} ms. Do it again.`;
      throw new HooklineError('STORE_FAILED', what);
    };
    try {
      return await work(assertHeld);
    } finally {
      clearInterval(heartbeat);
      // The owner file of a lost lock belongs to another owner.
      if (lock.isHeld()) await forgetOwner(path);
      lock.release();
    }
  });
}

async function acquire(path: string, times: LockTimes, signal: AbortSignal | undefined): Promise<LockFolder> {
  const { pollMs = POLL_MS } = times;
  const deadline = performance.now() + times.waitMs;
  for (;;) {
    signal?.throwIfAborted();
    const lock = makeLockFolder(lockOf(path));
    if (lock) {
      seen.delete(lockOf(path));
      return lock;
    }
    if (await takeOver(path, times)) continue;
    if (performance.now() > deadline) throw await tooLong(path, times);
    await sleep(1 + Math.random() * (pollMs - 1));
  }
}

/** Removes a stale lock, one process at a time: two could take over the lock from each other. Returns true if the lock is free. */
async function takeOver(path: string, { staleMs }: LockTimes): Promise<boolean> {
  const isStale = async () => (await isOrphaned(path, lockOf(path))) || isSilent(lockOf(path), staleMs);
  if (!(await isStale())) return false;
  const place = lockOf(`${path}.takeover`);
  const turn = makeLockFolder(place);
  if (!turn) {
    if (await isSilent(place, staleMs)) await rmdir(place).catch(() => {});
    return false;
  }
  try {
    if (!(await isStale())) return false;
    // Done before the lock is free, because the next owner writes new files.
    await sweepTemporaries(path);
    await forgetOwner(path);
    await rmdir(lockOf(path));
    return true;
  } finally {
    seen.delete(place);
    turn.release();
  }
}

/** Existing locks with the time of their last observed heartbeat, by a monotonic clock. */
const seen = new Map<string, { readonly mtimeMs: number; readonly at: number }>();

/** Whether a lock had no heartbeat for `staleMs` while this process watched. Clocks of other machines may be wrong. */
async function isSilent(lock: string, staleMs: number): Promise<boolean> {
  const found = await stat(lock).catch(() => undefined);
  const before = seen.get(lock);
  if (found && before?.mtimeMs === found.mtimeMs) return performance.now() - before.at >= staleMs;
  if (found) seen.set(lock, { mtimeMs: found.mtimeMs, at: performance.now() });
  else seen.delete(lock);
  return false;
}

async function tooLong(path: string, { waitMs }: LockTimes): Promise<HooklineError> {
  const what = `"${path}" has been locked for ${waitMs} ms by ${await ownerOf(path)}.`;
  const way = `Try again later; if that process hangs, end it, and the lock "${lockOf(path)}" is taken over.`;
  return new HooklineError('STORE_FAILED', `${what} ${way}`);
}

function lockOf(path: string): string {
  return `${path}.lock`;
}

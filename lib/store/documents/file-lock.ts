import { rmdir, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { lock } from 'proper-lockfile';
import { HooklineError } from '../../errors.ts';
import { inTurn } from './in-turn.ts';
import { forgetOwner, isOrphaned, ownerOf, writeOwner } from './lock-owner.ts';
import { sweepTemporaries } from './temporary-files.ts';

/** Times of a lock in milliseconds. */
export interface LockTimes {
  /** Time without a heartbeat after which the owner counts as crashed. */
  readonly staleMs: number;
  /** Maximum time to wait for a lock. */
  readonly waitMs: number;
}

const POLL_MS = 12;

/**
 * Runs `work` while this process holds the lock of the file at `path`. Takes over the lock of a crashed owner. If the wait times out, fails with
 * `STORE_FAILED` and names the owner. `work` receives a function that throws if the lock was lost.
 */
export function withFileLock<T>(
  path: string,
  times: LockTimes,
  work: (assertHeld: () => void) => Promise<T>,
): Promise<T> {
  return inTurn(path, async () => {
    let lost: Error | undefined;
    const release = await acquire(path, times, (error) => {
      lost = error;
    });
    await writeOwner(path);
    const assertHeld = () => {
      if (!lost) return;
      const what = `The lock of "${path}" was lost, as this process was held up for more than ${times.staleMs} ms. Do it again.`;
      throw new HooklineError('STORE_FAILED', what, { cause: lost });
    };
    try {
      return await work(assertHeld);
    } finally {
      if (!lost) await forgetOwner(path);
      // A lost lock belongs to another owner. A lock that cannot be removed becomes stale.
      if (!lost) await release().catch(() => {});
    }
  });
}

async function acquire(path: string, times: LockTimes, onCompromised: (error: Error) => void) {
  const deadline = performance.now() + times.waitMs;
  for (;;) {
    try {
      // The library must not treat locks as stale, because two processes could take over the lock from each other.
      const options = { stale: Number.POSITIVE_INFINITY, update: times.staleMs / 3, realpath: false };
      const release = await lock(path, { ...options, lockfilePath: lockOf(path), onCompromised });
      seen.delete(path);
      return release;
    } catch (thrown) {
      if (!isPendingOutput(thrown)) throw thrown;
      if (await takeOver(path, times)) continue;
      if (performance.now() > deadline) throw await tooLong(path, times, thrown);
      await sleep(1 + Math.random() * POLL_MS);
    }
  }
}

/** Removes a stale lock, one process at a time. Returns true if the lock is free. */
async function takeOver(path: string, { staleMs }: LockTimes): Promise<boolean> {
  if (!(await isStale(path, staleMs))) return false;
  let release: () => Promise<void>;
  try {
    release = await lock(`${path}.takeover`, { stale: staleMs, realpath: false, onCompromised: () => {} });
  } catch (thrown) {
    if (isPendingOutput(thrown)) return false;
    throw thrown;
  }
  try {
    if (!(await isStale(path, staleMs))) return false;
    // Done before the lock is free, because the next owner writes new files.
    await sweepTemporaries(path);
    await forgetOwner(path);
    await rmdir(lockOf(path));
    return true;
  } finally {
    await release().catch(() => {});
  }
}

/** Held locks with the time of their last observed heartbeat, by a monotonic clock. */
const seen = new Map<string, { readonly mtimeMs: number; readonly at: number }>();

/** Whether the owner has died, or has sent no heartbeat for `staleMs` while this process watched. */
async function isStale(path: string, staleMs: number): Promise<boolean> {
  if (await isOrphaned(path, lockOf(path))) return true;
  const found = await stat(lockOf(path)).catch(() => undefined);
  const before = seen.get(path);
  if (found && before?.mtimeMs === found.mtimeMs) return performance.now() - before.at >= staleMs;
  if (found) seen.set(path, { mtimeMs: found.mtimeMs, at: performance.now() });
  else seen.delete(path);
  return false;
}

async function tooLong(path: string, { waitMs }: LockTimes, cause: unknown): Promise<HooklineError> {
  const what = `"${path}" has been locked for ${waitMs} ms by ${await ownerOf(path)}.`;
  const way = `Try again later; if that process hangs, end it, and the lock "${lockOf(path)}" is taken over.`;
  return new HooklineError('STORE_FAILED', `${what} ${way}`, { cause });
}

function isPendingOutput(thrown: unknown): boolean {
  return (thrown as NodeJS.ErrnoException).code === 'ELOCKED';
}

function lockOf(path: string): string {
  return `${path}.lock`;
}

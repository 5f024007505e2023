import { rmdir, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import lockfile from 'proper-lockfile';
import { HooklineError } from '../../errors.ts';
import { inTurn } from './in-turn.ts';
import { forgetOwner, isOrphaned, ownerOf, tellOwner } from './lock-owner.ts';
import { sweepTemporaries } from './temporary-files.ts';

/** In milliseconds. */
export interface LockTimes {
  /** How long a holder may be silent before it counts as crashed. */
  readonly staleMs: number;
  /** How long a lock is waited for. */
  readonly waitMs: number;
}

const POLL_MS = 12;

/**
 * Runs `work` while no other process holds the lock of the file at `path`. A lock whose holder has crashed is taken over; one that is held for
 * too long is `STORE_FAILED`, and says who holds it. `work` gets a function that throws when the lock was lost in the meantime.
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
    await tellOwner(path);
    const assertHeld = () => {
      if (!lost) return;
      const what = `The lock of "${path}" was lost, as this process was held up for more than ${times.staleMs} ms. Do it again.`;
      throw new HooklineError('STORE_FAILED', what, { cause: lost });
    };
    try {
      return await work(assertHeld);
    } finally {
      if (!lost) await forgetOwner(path);
      // It is somebody else's when it was lost, and too late to matter when it cannot be removed: it becomes stale.
      if (!lost) await release().catch(() => {});
    }
  });
}

async function acquire(path: string, times: LockTimes, onCompromised: (error: Error) => void) {
  const deadline = performance.now() + times.waitMs;
  for (;;) {
    try {
      // Never stale to the library: two that find a lock stale at once would take it over from each other.
      const options = { stale: Number.POSITIVE_INFINITY, update: times.staleMs / 3, realpath: false };
      const release = await lockfile.lock(path, { ...options, lockfilePath: lockOf(path), onCompromised });
      seen.delete(path);
      return release;
    } catch (thrown) {
      if (!isHeld(thrown)) throw thrown;
      if (await takeOver(path, times)) continue;
      if (performance.now() > deadline) throw await tooLong(path, times, thrown);
      await sleep(1 + Math.random() * POLL_MS);
    }
  }
}

/** Removes a stale lock, one process at a time; true when the lock is free. */
async function takeOver(path: string, { staleMs }: LockTimes): Promise<boolean> {
  if (!(await isStale(path, staleMs))) return false;
  let release: () => Promise<void>;
  try {
    release = await lockfile.lock(`${path}.takeover`, { stale: staleMs, realpath: false, onCompromised: () => {} });
  } catch (thrown) {
    if (isHeld(thrown)) return false;
    throw thrown;
  }
  try {
    if (!(await isStale(path, staleMs))) return false;
    // Before the lock is free: what comes later is written by a new holder.
    await sweepTemporaries(path);
    await forgetOwner(path);
    await rmdir(lockOf(path));
    return true;
  } finally {
    await release().catch(() => {});
  }
}

/** Locks that are held, with the time at which their holder has last been seen to say so: by a clock that is never set, unlike that of files. */
const seen = new Map<string, { readonly said: number; readonly at: number }>();

/** Whether its holder is known to have died, or has said nothing for as long as it has been watched here. */
async function isStale(path: string, staleMs: number): Promise<boolean> {
  if (await isOrphaned(path, lockOf(path))) return true;
  const found = await stat(lockOf(path)).catch(() => undefined);
  const before = seen.get(path);
  if (found && before?.said === found.mtimeMs) return performance.now() - before.at >= staleMs;
  if (found) seen.set(path, { said: found.mtimeMs, at: performance.now() });
  else seen.delete(path);
  return false;
}

async function tooLong(path: string, { waitMs }: LockTimes, cause: unknown): Promise<HooklineError> {
  const what = `"${path}" has been locked for ${waitMs} ms by ${await ownerOf(path)}.`;
  const way = `Try again later; if that process hangs, end it, and the lock "${lockOf(path)}" is taken over.`;
  return new HooklineError('STORE_FAILED', `${what} ${way}`, { cause });
}

function isHeld(thrown: unknown): boolean {
  return (thrown as NodeJS.ErrnoException).code === 'ELOCKED';
}

function lockOf(path: string): string {
  return `${path}.lock`;
}

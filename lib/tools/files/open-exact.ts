import { constants } from 'node:fs';
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises';
import { HooklineError } from '../../errors.ts';
import type { Workspace } from '../workspace.ts';

// Not to wait for a FIFO's other end, and not to follow a link that was put there a moment ago. Windows has neither.
const careful = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Opens what `at` names itself, never what a link leads to. `real` is the path that it must have; `PATH_OUTSIDE` when it has another. */
export async function openExact(workspace: Workspace, at: string, real: string, flags: number): Promise<FileHandle> {
  const handle = await open(at, flags | careful, 0o666);
  try {
    // With descriptors `at` lies below a directory that is held open, so nothing can have led elsewhere.
    if (!workspace.descriptors) await confirm(handle, real);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function confirm(handle: FileHandle, real: string): Promise<void> {
  const opened = await handle.stat({ bigint: true });
  const [location, there] = await Promise.all([realpath(real), lstat(real, { bigint: true })]);
  if (location === real && there.ino === opened.ino && there.dev === opened.dev) return;
  throw new HooklineError('PATH_OUTSIDE', `${JSON.stringify(real)} was exchanged while it was opened; try again.`);
}

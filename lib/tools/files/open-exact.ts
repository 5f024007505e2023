import { constants } from 'node:fs';
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises';
import { HooklineError } from '../../errors.ts';
import type { Workspace } from '../workspace.ts';

// Does not wait for the other end of a FIFO, and does not follow a link that was just created. Windows has neither flag.
const careful = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Opens `at` without following links. Throws `PATH_OUTSIDE` if its real path is not `real`. */
export async function openExact(workspace: Workspace, at: string, real: string, flags: number): Promise<FileHandle> {
  const handle = await open(at, flags | careful, 0o666);
  try {
    // With descriptors, `at` is below an open directory, so the path cannot lead elsewhere.
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
  throw new HooklineError('PATH_OUTSIDE', `${JSON.stringify(real)} was replaced while it was opened; try again.`);
}

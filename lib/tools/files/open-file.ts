import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat } from 'node:fs/promises';
import type { Workspace } from '../workspace.ts';
import type { Place } from './enter.ts';
import { openExact } from './open-exact.ts';

/** A file open for reading, with what the system knows of it. */
export interface OpenFile {
  readonly handle: FileHandle;
  readonly stats: Stats;
}

/** Opens a regular file for reading; undefined for anything else (folder, link, FIFO, device), which is not even opened. */
export async function openFile(workspace: Workspace, place: Pick<Place, 'at' | 'real'>): Promise<OpenFile | undefined> {
  // Opening a device can do something, and a FIFO can wait.
  if (!(await lstat(place.at)).isFile()) return undefined;
  const handle = await openExact(workspace, place.at, place.real, constants.O_RDONLY);
  const stats = await handle.stat();
  if (stats.isFile()) return { handle, stats };
  await handle.close();
  return undefined;
}

import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat } from 'node:fs/promises';
import type { Workspace } from '../workspace.ts';
import type { Place } from './enter.ts';
import { openExact } from './open-exact.ts';

/** A file open for reading, with its stats. */
export interface OpenFile {
  readonly handle: FileHandle;
  readonly stats: Stats;
}

/** Opens a regular file for reading. Returns undefined for a folder, link, FIFO or device, without opening it. */
export async function openFile(workspace: Workspace, place: Pick<Place, 'at' | 'real'>): Promise<OpenFile | undefined> {
  // Opening a device can have effects, and opening a FIFO can block.
  if (!(await lstat(place.at)).isFile()) return undefined;
  const handle = await openExact(workspace, place.at, place.real, constants.O_RDONLY);
  const stats = await handle.stat();
  if (stats.isFile()) return { handle, stats };
  await handle.close();
  return undefined;
}

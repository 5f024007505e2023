import type { Dirent } from 'node:fs';
import { opendir } from 'node:fs/promises';
import type { Workspace } from '../workspace.ts';
import { enter } from './enter.ts';
import { type Folder, openFolder } from './open-folder.ts';

/** The entries of a folder, by name. `folder` is open until it is closed. `more` is true if the folder has more entries. */
export interface OpenListing {
  readonly folder: Folder;
  readonly dirents: readonly Dirent[];
  readonly more: boolean;
}

/** Opens the folder at the real path `path`, and reads at most `max` entries. */
export async function openListing(
  workspace: Workspace,
  path: string,
  max: number,
  signal: AbortSignal,
): Promise<OpenListing> {
  const place = await enter(workspace, path, { links: 'refuse' });
  const folder = await openFolder(workspace, place.at, place.real).finally(() => place.folder.close());
  try {
    const dirents: Dirent[] = [];
    // Not `readdir`, which reads a folder of any size into memory.
    for await (const dirent of await opendir(folder.below)) {
      signal.throwIfAborted();
      if (dirents.length === max) return { folder, dirents: dirents.sort(byName), more: true };
      dirents.push(dirent);
    }
    return { folder, dirents: dirents.sort(byName), more: false };
  } catch (error) {
    await folder.close();
    throw error;
  }
}

function byName(one: Dirent, other: Dirent): number {
  return one.name < other.name ? -1 : 1;
}

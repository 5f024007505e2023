import type { Dirent, Stats } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Workspace } from '../workspace.ts';
import { enter } from './enter.ts';
import { type Folder, openFolder } from './open-folder.ts';

/** An entry of a walk. `unreadable` is a folder that could not be opened. `limit` is the last entry if there are more. */
export interface Entry {
  readonly kind: 'file' | 'folder' | 'skipped' | 'link' | 'special' | 'unreadable' | 'limit';
  /** Path relative to the workspace, with `/`. */
  readonly path: string;
  /** Path relative to the start of the walk. */
  readonly way: string;
  /** Absolute path. */
  readonly real: string;
  /** Path for `node:fs`, valid until the next entry. */
  readonly at: string;
}

/** Options of a walk. Folders named in `skip` are returned, but not entered. */
export interface WalkOptions {
  readonly recursive: boolean;
  readonly skip: readonly string[];
  readonly signal: AbortSignal;
}

const maxEntries = 100_000;

/**
 * Returns the entries below `start`, or `start` itself if it is not a folder. Nearest first, then by name, without following links; at most 100,000.
 */
export async function* walk(workspace: Workspace, start: string, options: WalkOptions): AsyncGenerator<Entry> {
  const place = await enter(workspace, start, { links: 'follow' });
  try {
    const stats = await lstat(place.at);
    if (!stats.isDirectory()) {
      yield { ...place, kind: kindOf(stats), way: basename(place.path) };
      return;
    }
  } finally {
    await place.folder.close();
  }
  const queue: Entry[] = [{ ...place, kind: 'folder', way: '' }];
  let left = maxEntries;
  for (const entry of queue) {
    const listing = await openListing(workspace, entry.path, left, options.signal).catch((error) => {
      if (entry.way === '' || options.signal.aborted) throw error;
    });
    if (!listing) {
      yield { ...entry, kind: 'unreadable' };
      continue;
    }
    try {
      for (const found of listing.dirents) {
        const below = entryOf(found, entry, listing, options.skip);
        yield below;
        if (below.kind === 'folder' && options.recursive) queue.push(below);
      }
    } finally {
      await listing.folder.close();
    }
    left -= listing.dirents.length;
    if (listing.more) {
      yield { ...entry, kind: 'limit' };
      return;
    }
  }
}

function entryOf(dirent: Dirent, parent: Entry, { folder }: OpenListing, skip: readonly string[]): Entry {
  const { name } = dirent;
  const kind = kindOf(dirent);
  return {
    kind: kind === 'folder' && skip.includes(name) ? 'skipped' : kind,
    path: parent.path === '.' ? name : `${parent.path}/${name}`,
    way: parent.way === '' ? name : `${parent.way}/${name}`,
    real: join(parent.real, name),
    at: `${folder.below}/${name}`,
  };
}

function kindOf(found: Dirent | Stats): Entry['kind'] {
  if (found.isFile()) return 'file';
  if (found.isDirectory()) return 'folder';
  return found.isSymbolicLink() ? 'link' : 'special';
}

/** The entries of a folder, by name. `folder` is open until it is closed. `more` is true if the folder has more entries. */
interface OpenListing {
  readonly folder: Folder;
  readonly dirents: readonly Dirent[];
  readonly more: boolean;
}

/** Opens the folder at the real path `path`, and reads at most `max` entries. */
async function openListing(workspace: Workspace, path: string, max: number, signal: AbortSignal): Promise<OpenListing> {
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

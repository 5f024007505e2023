import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { HooklineError } from '../../errors.ts';
import type { Workspace } from '../workspace.ts';
import { type Folder, openFolder } from './open-folder.ts';
import { pathSegments } from './path-segments.ts';
import { readDetour } from './read-detour.ts';

/** A place in the workspace, whether or not something is there. Its folder is held open until `close`. */
export interface Place {
  /** The real path relative to the workspace; `.` is the workspace itself. */
  readonly path: string;
  /** The same as an absolute path. */
  readonly real: string;
  /** The same for `node:fs`: it stays in the folder that is held open, whatever becomes of the folder's name. */
  readonly at: string;
  /** The folder that holds it. */
  readonly folder: Folder;
}

/** How to go: what to do about symbolic links, whether the last name may be one, whether missing folders are made. */
export interface Way {
  readonly links: 'follow' | 'refuse';
  readonly lastMayBeLink?: boolean;
  readonly create?: boolean;
}

const maxLinks = 40;

/** Goes to `path` name by name, each below the folder opened before it, and so never leaves the workspace: `PATH_OUTSIDE` where it would. */
export async function enter(workspace: Workspace, path: string, way: Way): Promise<Place> {
  let names = pathSegments(workspace, path);
  if (!names) {
    const message = `${JSON.stringify(path)} leads out of the workspace. Give a path inside it, such as "src/index.ts".`;
    throw new HooklineError('PATH_OUTSIDE', message);
  }
  for (let links = 0; links <= maxLinks; links += 1) {
    const reached = await descend(workspace, path, names, way);
    if (!Array.isArray(reached)) return reached;
    names = reached;
  }
  throw Object.assign(new Error(`Too many symbolic links: ${path}`), { code: 'ELOOP' });
}

// The place, or, when one of the names is a link, the names to go by instead.
async function descend(workspace: Workspace, asked: string, names: string[], way: Way): Promise<Place | string[]> {
  let folder = await openFolder(workspace, workspace.root, workspace.root);
  try {
    for (const [index, name] of names.entries()) {
      const done = names.slice(0, index + 1);
      const last = done.length === names.length;
      const place = { path: done.join('/'), real: join(folder.real, name), at: `${folder.below}/${name}`, folder };
      const detour = last && way.lastMayBeLink ? undefined : await readDetour(workspace, asked, done, place.at);
      if (detour) {
        const instead = [...detour, ...names.slice(done.length)];
        if (way.links === 'refuse') refuseLink(asked, place.path, instead.join('/'));
        await folder.close();
        return instead;
      }
      if (last) return place;
      if (way.create) await mkdir(place.at).catch(ignoreExisting);
      const next = await openFolder(workspace, place.at, place.real);
      await folder.close();
      folder = next;
    }
    return { path: '.', real: folder.real, at: `${folder.below}/.`, folder };
  } catch (error) {
    await folder.close();
    throw error;
  }
}

function refuseLink(asked: string, link: string, instead: string): never {
  const [path, name, other] = [asked, link, instead || '.'].map((text) => JSON.stringify(text));
  const message = `${path} goes through the symbolic link ${name}, and only reading may. Use ${other} instead.`;
  throw new HooklineError('INPUT_INVALID', message);
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

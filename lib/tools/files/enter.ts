import { mkdir, readlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { HooklineError } from '../../errors.ts';
import type { Workspace } from '../workspace.ts';
import { type Folder, openFolder } from './open-folder.ts';
import { pathSegments } from './path-segments.ts';

/** A place in the workspace, which may not exist. Its folder is open until `close`. */
export interface Place {
  /** Real path relative to the workspace; `.` is the workspace. */
  readonly path: string;
  /** Absolute real path. */
  readonly real: string;
  /** Path for `node:fs`. It stays in the open folder even if the folder is renamed. */
  readonly at: string;
  /** The open folder that contains it. */
  readonly folder: Folder;
}

/** Options: handling of symbolic links, whether the last name may be a link, and whether to create missing folders. */
export interface Way {
  readonly links: 'follow' | 'refuse';
  readonly lastMayBeLink?: boolean;
  readonly create?: boolean;
}

const maxLinks = 40;

/** Opens `path` name by name, each below the previous folder, so it cannot leave the workspace. Otherwise throws `PATH_OUTSIDE`. */
export async function enter(workspace: Workspace, path: string, way: Way): Promise<Place> {
  let names = pathSegments(workspace, path);
  if (!names) {
    const message = `${JSON.stringify(path)} is outside of the workspace. Use a path inside it, such as "src/index.ts".`;
    throw new HooklineError('PATH_OUTSIDE', message);
  }
  for (let links = 0; links <= maxLinks; links += 1) {
    const reached = await descend(workspace, path, names, way);
    if (!Array.isArray(reached)) return reached;
    names = reached;
  }
  throw Object.assign(new Error(`Too many symbolic links: ${path}`), { code: 'ELOOP' });
}

// Returns the place. If a name is a link, returns the names to use instead.
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
  const message = `${path} goes through the symbolic link ${name}, which is only allowed for reading. Use ${other} instead.`;
  throw new HooklineError('INPUT_INVALID', message);
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

/** Where the symbolic link `at` leads, as names from the workspace; undefined when it is no link, `PATH_OUTSIDE` when it leads out. */
async function readDetour(
  workspace: Workspace,
  asked: string,
  link: readonly string[],
  at: string,
): Promise<string[] | undefined> {
  const target = await readlink(at).catch(ignoreNoLink);
  if (target === undefined) return undefined;
  const segments = pathSegments(workspace, resolve(workspace.root, ...link.slice(0, -1), target));
  if (segments) return segments;
  throw new HooklineError(
    'PATH_OUTSIDE',
    `${JSON.stringify(asked)} leads out of the workspace through the symbolic link ${JSON.stringify(link.join('/'))}. Use a path inside the workspace.`,
  );
}

function ignoreNoLink(error: NodeJS.ErrnoException): undefined {
  // Windows reports UNKNOWN for a file that is not a link.
  if (!['EINVAL', 'ENOENT', 'UNKNOWN'].includes(error.code ?? '')) throw error;
}

import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { Workspace } from '../workspace.ts';

/** Returns the names from the workspace to `path`, without `..`; undefined if the path leads outside. */
export function pathSegments(workspace: Workspace, path: string): string[] | undefined {
  const absolute = resolve(workspace.root, path);
  for (const base of [workspace.root, workspace.named]) {
    const way = relative(base, absolute);
    if (way === '') return [];
    if (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)) return way.split(sep);
  }
  return undefined;
}

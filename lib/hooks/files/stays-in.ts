import { realpathSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';

/** Returns whether a path, with all links resolved, is in `folder`, a real path. False if it does not exist. */
export function staysIn(folder: string, path: string): boolean {
  try {
    const way = relative(folder, realpathSync(path));
    return !isAbsolute(way) && !/^\.\.(?:[\\/]|$)/.test(way);
  } catch {
    return false;
  }
}

import { realpathSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';

/** Whether a path leads to something in `folder`, a real path, when all links are followed; what leads nowhere does not. */
export function staysIn(folder: string, path: string): boolean {
  try {
    const way = relative(folder, realpathSync(path));
    return !isAbsolute(way) && !/^\.\.(?:[\\/]|$)/.test(way);
  } catch {
    return false;
  }
}

import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder and its parents, or throws. Returns the first folder it created. It does not use `mkdir` with `recursive`. If a file system
 * returns "not found" in an existing folder, as /proc does, Node retries forever.
 */
export function makeFolder(path: string, mode?: number): string | undefined {
  if (isFolder(path)) return undefined;
  try {
    return make(path, mode);
  } catch (thrown) {
    const above = dirname(path);
    if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT' || above === path) throw thrown;
    const first = makeFolder(above, mode);
    const made = make(path, mode);
    return first ?? made;
  }
}

/** Another process may create it at the same time. */
function make(path: string, mode: number | undefined): string | undefined {
  try {
    mkdirSync(path, { mode });
    return path;
  } catch (thrown) {
    if (!isFolder(path)) throw thrown;
    return undefined;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

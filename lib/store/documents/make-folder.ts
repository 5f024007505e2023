import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder with those above it, or throws; gives the first one that was made. Not by `mkdir` with `recursive`: where a file system answers
 * "not found" for a folder in one that is there, as /proc does, Node tries that again for ever.
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

/** Others may make it at the same time. */
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

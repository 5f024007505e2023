import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder with those above it, or throws. Not by `mkdir` with `recursive`: where a file system answers "not found" for a folder in one
 * that is there, as /proc does, Node tries that again for ever.
 */
export function makeFolder(path: string, mode?: number): void {
  try {
    make(path, mode);
  } catch (thrown) {
    const above = dirname(path);
    if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT' || above === path) throw thrown;
    makeFolder(above, mode);
    make(path, mode);
  }
}

function make(path: string, mode: number | undefined): void {
  try {
    mkdirSync(path, { mode });
  } catch (thrown) {
    if (!isFolder(path)) throw thrown;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

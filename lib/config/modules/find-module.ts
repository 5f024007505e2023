import { realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { findPackage } from './find-package.ts';

/** Returns the file of a module, given as a path relative to `folder` or as the name of a package installed there. */
export function findModule(name: string, folder: string): string | undefined {
  const path = resolve(folder, name);
  if (isFile(path)) return path;
  try {
    return createRequire(join(resolve(folder), 'hookline')).resolve(path);
  } catch {
    return findPackage(name, folder);
  }
}

/**
 * Returns the package of this name if `file`, which `findModule` found, is not in it. Otherwise whoever writes a file beside a configuration could
 * replace the package that the configuration means.
 */
export function packageBeside(name: string, folder: string, file: string): string | undefined {
  const found = findPackage(name, folder);
  return found !== undefined && realpathSync(found) !== realpathSync(file) ? found : undefined;
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    // The file does not exist, or the text is not a valid file name.
    return false;
  }
}

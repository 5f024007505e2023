import { realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isAbsolute, join, resolve } from 'node:path';

/** Returns the file of a module, given as a path relative to `folder` or as the name of a package installed there. */
export function findModule(name: string, folder: string): string | undefined {
  const path = resolve(folder, name);
  if (isFile(path)) return path;
  const require = createRequire(join(resolve(folder), 'hookline'));
  for (const request of [path, name]) {
    try {
      return require.resolve(request);
    } catch {
      // The next form may resolve.
    }
  }
  return undefined;
}

/**
 * Returns the package of this name if `file`, which `findModule` found, is not in it. Otherwise whoever writes a file beside a configuration could
 * replace the package that the configuration means.
 */
export function packageBeside(name: string, folder: string, file: string): string | undefined {
  if (name.startsWith('.') || isAbsolute(name)) return undefined;
  try {
    const found = createRequire(join(resolve(folder), 'hookline')).resolve(name);
    return isAbsolute(found) && realpathSync(found) !== realpathSync(file) ? found : undefined;
  } catch {
    return undefined;
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    // The file does not exist, or the text is not a valid file name.
    return false;
  }
}

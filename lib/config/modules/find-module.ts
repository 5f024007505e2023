import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

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

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    // The file does not exist, or the text is not a valid file name.
    return false;
  }
}

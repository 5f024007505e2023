import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

/** The file of a module, named by a path from `folder` or by the name of a package that is installed there. */
export function findModule(name: string, folder: string): string | undefined {
  const path = resolve(folder, name);
  if (isFile(path)) return path;
  const require = createRequire(join(resolve(folder), 'hookline'));
  for (const request of [path, name]) {
    try {
      return require.resolve(request);
    } catch {
      // Not this way.
    }
  }
  return undefined;
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    // Not there, or a text that no file can be named.
    return false;
  }
}

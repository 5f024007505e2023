import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

/** The file of a module, named by a path from `folder` or by the name of a package that is installed there. */
export function findModule(name: string, folder: string): string | undefined {
  const path = resolve(folder, name);
  if (statSync(path, { throwIfNoEntry: false })?.isFile()) return path;
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

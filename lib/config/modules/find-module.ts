import { readFileSync, realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isAbsolute, join, resolve } from 'node:path';

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

/** Returns the file of a package, installed for `folder`, or `undefined`. The package may have exports for `import` only. */
function findPackage(name: string, folder: string): string | undefined {
  if (name.startsWith('.') || isAbsolute(name)) return undefined;
  const require = createRequire(join(resolve(folder), 'hookline'));
  try {
    const found = require.resolve(name);
    // The name of a module of Node is not a path.
    return isAbsolute(found) ? found : undefined;
  } catch (thrown) {
    const hidden = (thrown as NodeJS.ErrnoException).code === 'ERR_PACKAGE_PATH_NOT_EXPORTED';
    return hidden ? importedFile(name, require.resolve.paths(name) ?? []) : undefined;
  }
}

/** Node resolves for `import` asynchronously only. Patterns in the names of exports are not supported. */
function importedFile(name: string, folders: readonly string[]): string | undefined {
  const [, own = '', part = ''] = /^((?:@[^/]+\/)?[^/]+)(.*)$/.exec(name) ?? [];
  for (const folder of folders) {
    try {
      const { exports } = JSON.parse(readFileSync(join(folder, own, 'package.json'), 'utf8'));
      const target = targetOf(exports[`.${part}`] ?? (part === '' ? exports : undefined));
      return target === undefined ? undefined : realpathSync(join(folder, own, target));
    } catch {
      // The package may be in the next folder.
    }
  }
  return undefined;
}

/** Returns the path for the first condition that holds. */
function targetOf(exported: unknown): string | undefined {
  if (typeof exported === 'string') return exported;
  for (const [condition, target] of Object.entries(exported ?? {})) {
    const found = ['import', 'node', 'default'].includes(condition) ? targetOf(target) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

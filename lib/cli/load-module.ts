import { extname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isHook } from '../pipeline/define-hook.ts';
import { lendOwnPackages } from './lend-own-packages.ts';
import { lendToEsModules } from './lend-to-es-modules.ts';
import { readTypeScript } from './read-type-script.ts';

/** The default export of a module of any kind; `undefined` where there is none. */
export async function loadModule(file: string): Promise<unknown> {
  lendOwnPackages();
  if (['.ts', '.cts', '.mts'].includes(extname(file))) {
    readTypeScript(file);
    return defaultOf(require(file));
  }
  lendToEsModules();
  // In an ES module `default` is the default export; of a CommonJS one it is all that it exports.
  return defaultOf((await import(pathToFileURL(file).href)).default);
}

function defaultOf(exported: unknown): unknown {
  if (typeof exported !== 'object' || exported === null || Array.isArray(exported) || isHook(exported)) return exported;
  // What a compiler has made of an ES module, or a CommonJS module that says what it means.
  if ('default' in exported) return exported.default;
  return '__esModule' in exported || Object.keys(exported).length === 0 ? undefined : exported;
}

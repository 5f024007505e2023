import { extname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isHook } from '../../pipeline/define/define-hook.ts';
import { fileState } from '../live/file-state.ts';
import { foreignCodeBegins } from './foreign-code.ts';
import { lendOwnPackages } from './lend-own-packages.ts';
import { lendToEsModules } from './lend-to-es-modules.ts';
import { readTypeScript } from './read-type-script.ts';

/** States of a file at its first and last read. */
const reads = new Map<string, { readonly first: string; readonly last: string }>();

/** Returns the default export of a module of any format, or `undefined`. With `fresh`, a changed file is read again, but its imports are not. */
export async function loadModule(file: string, fresh = false): Promise<unknown> {
  foreignCodeBegins();
  lendOwnPackages();
  const state = fileState(file);
  const known = reads.get(file) ?? { first: state, last: state };
  const last = fresh ? state : known.last;
  reads.set(file, { first: known.first, last });
  if (last !== known.last) delete require.cache[require.resolve(file)];
  if (['.ts', '.cts', '.mts'].includes(extname(file))) {
    readTypeScript(file);
    return defaultOf(require(file));
  }
  lendToEsModules();
  const url = pathToFileURL(file);
  // Node caches ES modules by URL, so each later state of a file requires its own URL.
  if (last !== known.first) url.searchParams.set('read', last);
  // In an ES module, `default` is the default export; in a CommonJS module, it is all exports.
  return defaultOf((await import(url.href)).default);
}

function defaultOf(exported: unknown): unknown {
  if (typeof exported !== 'object' || exported === null || Array.isArray(exported) || isHook(exported)) return exported;
  // A compiled ES module, or a CommonJS module that declares a default export.
  if ('default' in exported) return exported.default;
  return '__esModule' in exported || Object.keys(exported).length === 0 ? undefined : exported;
}

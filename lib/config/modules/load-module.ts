import { statSync } from 'node:fs';
import { extname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isHook } from '../../pipeline/define/define-hook.ts';
import { lendOwnPackages } from './lend-own-packages.ts';
import { lendToEsModules } from './lend-to-es-modules.ts';
import { readTypeScript } from './read-type-script.ts';

/** When a file was changed last, as it was read first and as it was read last. */
const reads = new Map<string, { readonly first: number; readonly last: number }>();

/** The default export of a module of any kind; `undefined` where there is none. With `fresh`, a file that has changed is read anew; what it imports is not. */
export async function loadModule(file: string, fresh = false): Promise<unknown> {
  lendOwnPackages();
  const { mtimeMs } = statSync(file);
  const known = reads.get(file) ?? { first: mtimeMs, last: mtimeMs };
  const last = fresh ? mtimeMs : known.last;
  reads.set(file, { first: known.first, last });
  if (last !== known.last) delete require.cache[require.resolve(file)];
  if (['.ts', '.cts', '.mts'].includes(extname(file))) {
    readTypeScript(file);
    return defaultOf(require(file));
  }
  lendToEsModules();
  const url = pathToFileURL(file);
  // An ES module stays in memory under its address, so each later state of a file needs an address of its own.
  if (last !== known.first) url.searchParams.set('read', String(last));
  // In an ES module `default` is the default export; of a CommonJS one it is all that it exports.
  return defaultOf((await import(url.href)).default);
}

function defaultOf(exported: unknown): unknown {
  if (typeof exported !== 'object' || exported === null || Array.isArray(exported) || isHook(exported)) return exported;
  // What a compiler has made of an ES module, or a CommonJS module that says what it means.
  if ('default' in exported) return exported.default;
  return '__esModule' in exported || Object.keys(exported).length === 0 ? undefined : exported;
}

import { existsSync, readdirSync } from 'node:fs';
import { createRequire, Module } from 'node:module';
import { basename, join } from 'node:path';

/** The entries of rxjs, as their folders and the properties of its bundle are named. */
const RXJS_PARTS = ['operators', 'testing', 'ajax', 'webSocket', 'fetch'] as const;

/**
 * Lets rxjs and zod be loaded from a tenth of their files, if nothing has loaded them yet. Finding 300 files is a third of the start of the command, and
 * each call of a tool waits for that. Modules of hooks get the same copies. Zod compiles no parsers, unless the process `lasts` long enough to gain by it.
 */
export function lightPackages(lasts: boolean): void {
  // What `z.config({ jitless: true })` sets, for each copy of zod.
  if (!lasts) Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
  const rxjs = require.resolve('rxjs');
  const oneFile = join(rxjs, '../../bundles/rxjs.umd.min.js');
  // A second copy beside the one that is loaded would not run in its virtual time.
  if (!require.cache[rxjs] && existsSync(oneFile)) {
    provide(rxjs, () => require(oneFile));
    // Its parts, too. With two copies, `instanceof EmptyError` and virtual time would fail.
    for (const part of RXJS_PARTS) provide(join(rxjs, `../${part}/index.js`), () => require(oneFile)[part]);
  }
  const locales = require.resolve('zod/v4/locales');
  if (require.cache[locales]) return;
  const exports = lazyLocales(createRequire(locales), join(locales, '..'));
  provide(locales, () => exports);
}

/** Provides a module that others require as `file`, which itself is never read. */
function provide(file: string, load: () => unknown): void {
  const module = Object.assign(new Module(file), { filename: file, loaded: true });
  require.cache[file] = Object.defineProperty(module, 'exports', { get: load });
}

/** Returns the exports of the index of the locales. Each is loaded on demand, because zod itself uses only English. */
function lazyLocales(load: NodeJS.Require, folder: string): object {
  const names = readdirSync(folder).filter((name) => name.endsWith('.cjs') && name !== 'index.cjs');
  const getters = names.map((name) => [
    basename(name, '.cjs').replace('-', ''),
    { enumerable: true, get: () => load(`./${name}`) },
  ]);
  return Object.defineProperties({}, { __esModule: { value: true }, ...Object.fromEntries(getters) });
}

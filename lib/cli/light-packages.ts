import { existsSync, readdirSync } from 'node:fs';
import { createRequire, Module } from 'node:module';
import { basename, join } from 'node:path';

/** A module that has no source, because its exports exist already. */
function provide(file: string, exports: unknown): void {
  const module = new Module(file);
  require.cache[file] = Object.assign(module, { filename: file, loaded: true, exports });
}

/**
 * Loads rxjs and zod from a tenth of their files, before anything else loads them. Finding 300 files is a third of the start of the command, and each
 * call of a tool waits for that. Modules of hooks get the same copies.
 */
export function lightPackages(): void {
  const rxjs = require.resolve('rxjs');
  const oneFile = join(rxjs, '../../bundles/rxjs.umd.min.js');
  if (existsSync(oneFile)) provide(rxjs, require(oneFile));
  const locales = require.resolve('zod/v4/locales');
  provide(locales, lazyLocales(createRequire(locales), join(locales, '..')));
}

/** What the index of the locales exports. Each is loaded on demand, because zod itself uses only English. */
function lazyLocales(load: NodeJS.Require, folder: string): object {
  const names = readdirSync(folder).filter((name) => name.endsWith('.cjs') && name !== 'index.cjs');
  const getters = names.map((name) => [
    basename(name, '.cjs').replace('-', ''),
    { enumerable: true, get: () => load(`./${name}`) },
  ]);
  return Object.defineProperties({}, { __esModule: { value: true }, ...Object.fromEntries(getters) });
}

import { dirname, resolve } from 'node:path';
import { messageOf } from '../../errors/describe-thrown.ts';
import { type Catalogue, type CatalogueEntry, createCatalogue } from '../../hooks/catalogue.ts';
import type { ConfigFile } from '../dialects/dialect.ts';
import { type ConfigIssue, issueAt } from '../issues/config-issue.ts';
import { fileState } from '../live/file-state.ts';
import { kindsOfModule } from '../modules/exports-of-module.ts';
import { findModule } from '../modules/find-module.ts';
import { hookKinds } from './hook-kinds.ts';

/** A catalogue with the kinds of modules, and the issues of modules that could not be used. */
export interface ExtendedCatalogue {
  readonly catalogue: Catalogue;
  readonly issues: readonly ConfigIssue[];
}

/**
 * Adds the kinds of hooks that the modules of configuration files export. Unless `all`, it loads modules only if a file uses a type that the
 * catalogue does not have.
 */
export async function withKindsOfModules(
  files: readonly ConfigFile[],
  catalogue: Catalogue,
  all = false,
): Promise<ExtendedCatalogue> {
  const known = hookKinds(catalogue);
  const hooks = files.flatMap((file) => entriesOf(file));
  if (!all && !hooks.some(({ type }) => type !== undefined && !known.has(type))) return { catalogue, issues: [] };
  const added = new Map<string, CatalogueEntry>();
  const read = new Set<string>();
  const issues: ConfigIssue[] = [];
  for (const { file, name, type, path, enabled } of hooks) {
    if (type !== 'module' || path === undefined || enabled === false) continue;
    const folder = dirname(resolve(file.source.file));
    const found = findModule(path, folder) ?? path;
    if (read.has(found)) continue;
    read.add(found);
    try {
      for (const entry of await settledKinds(path, folder, found)) {
        createCatalogue([entry]);
        if (known.has(entry.name) || added.has(entry.name))
          throw new Error(`it exports the kind "${entry.name}", and there is another one with that name. Rename it.`);
        added.set(entry.name, dependingOn(entry, found));
      }
    } catch (thrown) {
      issues.push(issueAt(file.source, file.toSource(['hooks', name, 'path']), messageOf(thrown).replace(/\s+/g, ' ')));
    }
  }
  if (added.size === 0) return { catalogue, issues };
  return { catalogue: createCatalogue([...catalogue.entries, ...added.values()]), issues };
}

function entriesOf(file: ConfigFile) {
  if (file.dialect !== 'hookline') return [];
  return Object.entries(file.config.hooks ?? {}).map(([name, entry]) => ({ file, name, ...entry }));
}

/** Returns the kinds of the current file. Otherwise a change while it is loading would look as if it had been read. */
async function settledKinds(path: string, folder: string, file: string): Promise<readonly CatalogueEntry[]> {
  let kinds: readonly CatalogueEntry[];
  let state: string;
  do {
    state = fileState(file);
    kinds = await kindsOfModule(path, folder);
  } while (state !== fileState(file));
  return kinds;
}

/** Hooks of the kind are created again when its module changes. */
function dependingOn(entry: CatalogueEntry, file: string): CatalogueEntry {
  return { ...entry, files: (options) => [...(entry.files?.(options) ?? []), file] };
}

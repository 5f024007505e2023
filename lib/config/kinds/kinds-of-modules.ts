import { messageOf } from '../../errors/describe-thrown.ts';
import { type Catalogue, type CatalogueEntry, createCatalogue } from '../../hooks/catalogue.ts';
import type { CompiledHook } from '../compile-config.ts';
import type { ConfigIssue } from '../issues/config-issue.ts';
import { fileState } from '../live/file-state.ts';
import { kindsOfModule } from '../modules/exports-of-module.ts';
import { findModule } from '../modules/find-module.ts';
import { hookKinds } from './hook-kinds.ts';

/** A catalogue with the kinds of modules, and the issues of modules that could not be used. */
export interface ExtendedCatalogue {
  readonly catalogue: Catalogue;
  readonly issues: readonly ConfigIssue[];
}

/** Loads the modules of enabled hooks and adds the kinds of hooks that they export. */
export async function withKindsOfModules(
  hooks: readonly CompiledHook[],
  catalogue: Catalogue,
): Promise<ExtendedCatalogue> {
  const known = hookKinds(catalogue);
  const added = new Map<string, CatalogueEntry>();
  const read = new Set<string>();
  const issues: ConfigIssue[] = [];
  for (const { kind, entry, folder, issue } of hooks) {
    const { path, enabled } = entry;
    if (kind.name !== 'module' || path === undefined || enabled === false) continue;
    const found = findModule(path, folder) ?? path;
    if (read.has(found)) continue;
    read.add(found);
    try {
      for (const one of await settledKinds(path, folder, found)) {
        if (known.has(one.name) || added.has(one.name))
          throw new Error(`it exports the kind "${one.name}", and there is another one with that name. Rename it.`);
        added.set(one.name, dependingOn(one, found));
      }
    } catch (thrown) {
      issues.push(issue(['path'], messageOf(thrown).replace(/\s+/g, ' ')));
    }
  }
  if (added.size === 0) return { catalogue, issues };
  return { catalogue: createCatalogue([...catalogue.entries, ...added.values()]), issues };
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

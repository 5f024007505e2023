import type { Catalogue } from '../../hooks/catalogue.ts';
import { catalogueKinds } from './catalogue-kinds.ts';
import { commandKind } from './command-kind.ts';
import type { HookKind } from './hook-kind.ts';
import { moduleKind } from './module-kind.ts';
import { processKind } from './process-kind.ts';

/** The hook kinds by `type`. Kinds of a catalogue take precedence over built-in kinds of the same name. */
export type HookKinds = ReadonlyMap<string, HookKind>;

/** Returns the hook kinds for a configuration: `process`, `command`, `module` and those of the catalogue, which take precedence. */
export function hookKinds(catalogue: Catalogue): HookKinds {
  const kinds = [processKind, commandKind, moduleKind, ...catalogueKinds(catalogue)];
  return new Map(kinds.map((kind) => [kind.name, kind]));
}

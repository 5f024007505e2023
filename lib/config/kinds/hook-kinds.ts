import type { Catalogue } from '../../hooks/catalogue.ts';
import { catalogueKinds } from './catalogue-kinds.ts';
import { commandKind } from './command-kind.ts';
import type { HookKind } from './hook-kind.ts';
import { moduleKind } from './module-kind.ts';
import { processKind } from './process-kind.ts';

/** All that `type` may say, by name. A catalogue's kinds go before ours of the same name. */
export type HookKinds = ReadonlyMap<string, HookKind>;

/** The kinds of hooks that a configuration may name: `process`, `command`, `module`, and those of the catalogue, which go before ours of the same name. */
export function hookKinds(catalogue: Catalogue): HookKinds {
  const kinds = [processKind, commandKind, moduleKind, ...catalogueKinds(catalogue)];
  return new Map(kinds.map((kind) => [kind.name, kind]));
}

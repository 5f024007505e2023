import type { Catalogue } from '../hooks/catalogue.ts';
import { builtIns, createCatalogue } from '../hooks/index.ts';
import { type CompiledConfig, compileConfig } from './compile-config.ts';
import type { ConfigFile, Findings } from './dialects/dialect.ts';
import { type ConfigFault, showFault } from './faults/fault.ts';
import { hookKinds } from './kinds/hook-kinds.ts';
import { floorFile } from './merge/floor.ts';
import type { NativeConfig } from './native-schema.ts';
import { readConfig } from './read-config.ts';
import { readSource } from './source/read-source.ts';

/** How configurations are read. */
export interface LoadOptions {
  /** Default: the built-in hooks. */
  readonly catalogue?: Catalogue;
  /** Default: the environment of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Whether later files may make a hook refuse less than an earlier one has set it up for. Default: no, and a notice says so. */
  readonly allowWeaker?: boolean;
  /**
   * Hooks that are always on, as if a first file had named them. Files add to them and tighten them; they weaken one only by `weaker: true` at
   * it, and a notice says so. Default: none.
   */
  readonly floor?: NonNullable<NativeConfig['hooks']>;
}

/** What was read, with all that is to be said of it. With faults `config` is not to be used. */
export interface LoadedConfig extends Findings {
  readonly config: CompiledConfig;
  readonly files: readonly ConfigFile[];
}

/**
 * Reads configuration files of any dialect and merges them, the later one winning. Faults are given, not thrown, but for a file that cannot be
 * read at all (`INPUT_INVALID`). Hooks are not made.
 */
export function loadConfig(files: readonly string[], options: LoadOptions = {}): LoadedConfig {
  const { catalogue = createCatalogue(builtIns), env = process.env, floor } = options;
  const findings: Findings = { faults: [], notices: [] };
  const read = files.flatMap((file) => readConfig(readSource(file, findings.faults), findings) ?? []);
  const all = floor ? [floorFile(floor), ...read] : read;
  const config = compileConfig(all, hookKinds(catalogue), env, findings, options);
  return { config, files: all, faults: inOrder(files, findings.faults), notices: inOrder(files, findings.notices) };
}

function inOrder(files: readonly string[], faults: readonly ConfigFault[]): ConfigFault[] {
  // A dialect and the kind of its hooks may both have told of one.
  const told = new Map(faults.map((fault) => [showFault(fault), fault]));
  return [...told.values()].toSorted(
    (a, b) => files.indexOf(a.file) - files.indexOf(b.file) || a.line - b.line || a.column - b.column,
  );
}

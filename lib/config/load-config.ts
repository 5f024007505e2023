import type { Catalogue } from '../hooks/catalogue.ts';
import { builtIns, createCatalogue } from '../hooks/index.ts';
import { type CompiledConfig, compileConfig } from './compile-config.ts';
import type { ConfigFile, Findings } from './dialects/dialect.ts';
import { type ConfigIssue, configError, formatIssue } from './issues/config-issue.ts';
import { type HookKinds, hookKinds } from './kinds/hook-kinds.ts';
import { withKindsOfModules } from './kinds/kinds-of-modules.ts';
import { unknownKinds } from './kinds/unknown-kinds.ts';
import { floorFile } from './merge/floor.ts';
import type { NativeConfig } from './native-schema.ts';
import { readConfig } from './read-config.ts';
import { readSource } from './source/read-source.ts';

/** Options of `loadConfig`. */
export interface LoadOptions {
  /** Default: the built-in hooks. */
  readonly catalogue?: Catalogue;
  /** Default: the environment of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Whether later files may weaken a hook of an earlier file. Default: no, and the weakening is reported as a notice. */
  readonly allowWeaker?: boolean;
  /**
   * Hooks that are always enabled, as if the first file contained them. Files can add to them and tighten them. They can weaken a hook only
   * by `weaker: true` in its entry, and the weakening is reported as a notice. Default: none.
   */
  readonly floor?: NonNullable<NativeConfig['hooks']>;
}

/** The loaded configuration with its issues and notices. Do not use `config` if there are issues. */
export interface LoadedConfig extends Findings {
  readonly config: CompiledConfig;
  readonly kinds: HookKinds;
  readonly files: readonly ConfigFile[];
}

/** A configuration whose modules are not loaded. Hooks of kinds that only these modules can define are not checked. */
export interface UnloadedConfig extends LoadedConfig {
  /** Loads the modules if a hook is of such a kind, and checks these hooks. */
  load(): Promise<LoadedConfig>;
}

/**
 * Reads configuration files of any dialect and merges them. Later files take precedence. Issues are returned, not thrown. Throws
 * `INPUT_INVALID` if a file cannot be read. Does not create hooks, and does not load modules.
 */
export function loadConfig(files: readonly string[], options: LoadOptions = {}): LoadedConfig {
  const findings: Findings = { issues: [], notices: [] };
  return compiled(files, readFiles(files, findings), findings, hookKinds(catalogueOf(options)), options);
}

/** Does the same with the kinds of hooks that modules of the files export. Loads these modules only if a file uses such a kind. */
export async function loadConfigAndKinds(files: readonly string[], options: LoadOptions = {}): Promise<LoadedConfig> {
  return unloadedConfig(files, options).load();
}

/** Does the same in two steps, so that a caller can reject the configuration before its modules run. */
export function unloadedConfig(files: readonly string[], options: LoadOptions): UnloadedConfig {
  const findings: Findings = { issues: [], notices: [] };
  const read = readFiles(files, findings);
  const catalogue = catalogueOf(options);
  const { unknown, ...unloaded } = compiledUnloaded(files, read, findings, catalogue, options);
  return {
    ...unloaded,
    async load() {
      if (unknown.size === 0) return unloaded;
      const { catalogue: extended, issues } = await withKindsOfModules(unloaded.config.hooks, catalogue);
      findings.issues.push(...issues);
      return compiled(files, read, findings, hookKinds(extended), options);
    },
  };
}

/** Returns the built-in kinds of hooks, and those of the modules of the files. Throws `CONFIG_INVALID` if there are issues. */
export async function loadKinds(files: readonly string[]): Promise<HookKinds> {
  const findings: Findings = { issues: [], notices: [] };
  const read = readFiles(files, findings);
  const { config } = compiledUnloaded(files, read, findings, catalogueOf({}), {});
  const { catalogue, issues } = await withKindsOfModules(config.hooks, catalogueOf({}));
  const all = inOrder(files, [...findings.issues, ...issues]);
  if (all.length > 0) throw configError(all);
  return hookKinds(catalogue);
}

function catalogueOf({ catalogue }: LoadOptions): Catalogue {
  return catalogue ?? createCatalogue(builtIns);
}

function readFiles(files: readonly string[], findings: Findings): readonly ConfigFile[] {
  return files.flatMap((file) => readConfig(readSource(file, findings.issues), findings) ?? []);
}

function compiledUnloaded(
  names: readonly string[],
  read: readonly ConfigFile[],
  findings: Findings,
  catalogue: Catalogue,
  options: LoadOptions,
): LoadedConfig & { readonly unknown: HookKinds } {
  const known = hookKinds(catalogue);
  const unknown = unknownKinds(withFloor(read, options), known);
  return { ...compiled(names, read, findings, new Map([...known, ...unknown]), options), unknown };
}

function compiled(
  names: readonly string[],
  read: readonly ConfigFile[],
  { issues, notices }: Findings,
  kinds: HookKinds,
  options: LoadOptions,
): LoadedConfig {
  const files = withFloor(read, options);
  const all: Findings = { issues: [...issues], notices: [...notices] };
  const config = compileConfig(files, kinds, options.env ?? process.env, all, options);
  return { config, kinds, files, issues: inOrder(names, all.issues), notices: inOrder(names, all.notices) };
}

function withFloor(read: readonly ConfigFile[], { floor }: LoadOptions): readonly ConfigFile[] {
  return floor ? [floorFile(floor), ...read] : read;
}

function inOrder(files: readonly string[], issues: readonly ConfigIssue[]): ConfigIssue[] {
  // A dialect and the kind of its hooks may both report the same issue.
  const byText = new Map(issues.map((issue) => [formatIssue(issue), issue]));
  return [...byText.values()].toSorted(
    (a, b) => files.indexOf(a.file) - files.indexOf(b.file) || a.line - b.line || a.column - b.column,
  );
}

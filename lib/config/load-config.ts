import type { Catalogue } from '../hooks/catalogue.ts';
import { builtIns, createCatalogue } from '../hooks/index.ts';
import { type CompiledConfig, compileConfig } from './compile-config.ts';
import type { ConfigFile, Findings } from './dialects/dialect.ts';
import { type ConfigIssue, configError, formatIssue } from './issues/config-issue.ts';
import { type HookKinds, hookKinds } from './kinds/hook-kinds.ts';
import { withKindsOfModules } from './kinds/kinds-of-modules.ts';
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

/**
 * Reads configuration files of any dialect and merges them. Later files take precedence. Issues are returned, not thrown. Throws
 * `INPUT_INVALID` if a file cannot be read. Does not create hooks, and does not load modules.
 */
export function loadConfig(files: readonly string[], options: LoadOptions = {}): LoadedConfig {
  const { catalogue = createCatalogue(builtIns) } = options;
  const findings: Findings = { issues: [], notices: [] };
  return compiled(files, readFiles(files, findings), findings, { ...options, catalogue });
}

/** Does the same with the kinds of hooks that modules of the files export. Loads these modules only if a file uses such a kind. */
export async function loadConfigAndKinds(files: readonly string[], options: LoadOptions = {}): Promise<LoadedConfig> {
  const findings: Findings = { issues: [], notices: [] };
  const read = readFiles(files, findings);
  const { catalogue, issues } = await withKindsOfModules(read, options.catalogue ?? createCatalogue(builtIns));
  findings.issues.push(...issues);
  return compiled(files, read, findings, { ...options, catalogue });
}

/** Returns the built-in kinds of hooks, and those of the modules of the files. Throws `CONFIG_INVALID` if there are issues. */
export async function loadKinds(files: readonly string[]): Promise<HookKinds> {
  const findings: Findings = { issues: [], notices: [] };
  const read = readFiles(files, findings);
  const { catalogue, issues } = await withKindsOfModules(read, createCatalogue(builtIns), true);
  const all = inOrder(files, [...findings.issues, ...issues]);
  if (all.length > 0) throw configError(all);
  return hookKinds(catalogue);
}

function readFiles(files: readonly string[], findings: Findings): readonly ConfigFile[] {
  return files.flatMap((file) => readConfig(readSource(file, findings.issues), findings) ?? []);
}

function compiled(
  names: readonly string[],
  read: readonly ConfigFile[],
  findings: Findings,
  options: LoadOptions & { readonly catalogue: Catalogue },
): LoadedConfig {
  const { catalogue, env = process.env, floor } = options;
  const files = floor ? [floorFile(floor), ...read] : read;
  const kinds = hookKinds(catalogue);
  const config = compileConfig(files, kinds, env, findings, options);
  return { config, kinds, files, issues: inOrder(names, findings.issues), notices: inOrder(names, findings.notices) };
}

function inOrder(files: readonly string[], issues: readonly ConfigIssue[]): ConfigIssue[] {
  // A dialect and the kind of its hooks may both report the same issue.
  const byText = new Map(issues.map((issue) => [formatIssue(issue), issue]));
  return [...byText.values()].toSorted(
    (a, b) => files.indexOf(a.file) - files.indexOf(b.file) || a.line - b.line || a.column - b.column,
  );
}

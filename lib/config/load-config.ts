import type { Catalogue } from '../hooks/catalogue.ts';
import { builtIns, createCatalogue } from '../hooks/index.ts';
import { type CompiledConfig, compileConfig } from './compile-config.ts';
import type { ConfigFile, Findings } from './dialects/dialect.ts';
import { type ConfigIssue, formatIssue } from './issues/config-issue.ts';
import { hookKinds } from './kinds/hook-kinds.ts';
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
  readonly files: readonly ConfigFile[];
}

/**
 * Reads configuration files of any dialect and merges them. Later files take precedence. Issues are returned, not thrown. Throws
 * `INPUT_INVALID` if a file cannot be read. Does not create hooks.
 */
export function loadConfig(files: readonly string[], options: LoadOptions = {}): LoadedConfig {
  const { catalogue = createCatalogue(builtIns), env = process.env, floor } = options;
  const findings: Findings = { issues: [], notices: [] };
  const read = files.flatMap((file) => readConfig(readSource(file, findings.issues), findings) ?? []);
  const all = floor ? [floorFile(floor), ...read] : read;
  const config = compileConfig(all, hookKinds(catalogue), env, findings, options);
  return { config, files: all, issues: inOrder(files, findings.issues), notices: inOrder(files, findings.notices) };
}

function inOrder(files: readonly string[], issues: readonly ConfigIssue[]): ConfigIssue[] {
  // A dialect and the kind of its hooks may both report the same issue.
  const byText = new Map(issues.map((issue) => [formatIssue(issue), issue]));
  return [...byText.values()].toSorted(
    (a, b) => files.indexOf(a.file) - files.indexOf(b.file) || a.line - b.line || a.column - b.column,
  );
}

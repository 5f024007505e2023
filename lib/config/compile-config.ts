import { dirname, resolve } from 'node:path';
import { nearestName, nearestOrAll } from '../errors/nearest-name.ts';
import type { JsonObject } from '../events/values/json-value.ts';
import type { BackplaneSettings } from './backplane-schema.ts';
import type { ConfigFile, Findings } from './dialects/dialect.ts';
import { type ConfigIssue, issueAt, MAX_ISSUES } from './issues/config-issue.ts';
import { findSchemaIssues, type SchemaIssue } from './issues/schema-issues.ts';
import type { HookKind } from './kinds/hook-kind.ts';
import type { HookKinds } from './kinds/hook-kinds.ts';
import { failureOfKind } from './kinds/kind-failure.ts';
import { fileState } from './live/file-state.ts';
import { floorNotices, isFloorAlone } from './merge/floor.ts';
import { type MergedConfig, type MergedHook, type MergeOptions, mergeFiles } from './merge/merge-files.ts';
import { OWN_PREFIX } from './merge/reserved-names.ts';
import { duplicateIssues } from './merge/second-of-kind.ts';
import type { HookEntry, NativeConfig } from './native-schema.ts';
import type { ConfigPath } from './source/source.ts';
import { type Substitution, substitute } from './substitute.ts';

/** A configured hook that can be created. */
export interface CompiledHook {
  readonly name: string;
  readonly kind: HookKind;
  /** The entry as written in the files. */
  readonly written: HookEntry;
  /** The entry with variables substituted and paths resolved. Do not display it: it may contain secrets. */
  readonly entry: HookEntry;
  readonly folder: string;
  /** The files, other than the configuration, that the hook is created from. */
  readonly files: readonly string[];
  /** The `defaults` of the files that apply to this hook. */
  readonly defaults: NonNullable<NativeConfig['defaults']>;
  /** Returns an issue located at `path` of this hook. */
  issue(path: readonly PropertyKey[], message: string): ConfigIssue;
}

/** Returns the properties that distinguish a hook from a differently created one, including the state of its source files. */
export function identityOf({ name, kind, entry, folder, files, defaults }: CompiledHook): readonly unknown[] {
  return [name, kind.name, folder, entry, defaults, ...files.map(fileState)];
}

/** A compiled configuration. It is checked, except for the errors that appear only when the hooks are created. */
export interface CompiledConfig {
  readonly hooks: readonly CompiledHook[];
  /** The settings other than hooks, with variables substituted. Do not display them: they may contain secrets. */
  readonly settings: Pick<NativeConfig, 'model' | 'tools' | 'workspace' | 'agent' | 'server' | 'accept'>;
  /** The whole configuration in the native format, as written in the files. */
  readonly written: NativeConfig;
}

/** Merges files and checks the merged configuration. Do not use the result if there are issues. */
export function compileConfig(
  files: readonly ConfigFile[],
  kinds: HookKinds,
  env: Substitution['env'],
  findings: Findings,
  options: MergeOptions = {},
): CompiledConfig {
  const merged = mergeFiles(files, kinds, findings, options);
  const allowed = files.flatMap(({ config }) => config.env ?? []);
  const hooks = merged.hooks.flatMap((hook) => compileHook(hook) ?? []);
  findings.issues.push(...duplicateIssues(hooks));
  findings.notices.push(...floorNotices(merged.hooks, kinds));
  return {
    hooks,
    settings: settingsOf(merged),
    written: {
      ...(allowed.length > 0 && { env: [...new Set(allowed)] }),
      ...Object.fromEntries(Object.entries(merged.settings).map(([name, setting]) => [name, setting?.value])),
      hooks: Object.fromEntries(merged.hooks.flatMap((hook) => (isFloorAlone(hook) ? [] : [[hook.name, hook.entry]]))),
    },
  };

  function compileHook(hook: MergedHook): CompiledHook | undefined {
    const { name, entry: written } = hook;
    const report = (path: readonly PropertyKey[], message: string, part?: 'key' | 'value'): void => {
      findings.issues.push(entryIssue(hook, path, message, part));
    };
    const file = hook.sources.at(-1)!.file;
    if (name.startsWith(OWN_PREFIX))
      report([], `names that start with ${OWN_PREFIX} are reserved for Hookline. Use another name.`);
    const kind = kindOf(hook, report);
    if (!kind) return undefined;
    const filled = substitute(written, [], {
      allowed,
      env,
      lenient: kind.name === 'command' || file.dialect !== 'hookline',
      refuse: report,
      notice: (path, message) => findings.notices.push(entryIssue(hook, path, message)),
    });
    // Disabled entries of PicoClaw are not checked.
    const looked = written.enabled !== false || file.dialect !== 'picoclaw';
    const folder = folderOf(hook, ['path']);
    const entry = { ...filled, ...anchored(kind, filled, hook) };
    let wrong: readonly SchemaIssue[] = [];
    let files: readonly string[];
    try {
      if (looked) wrong = findSchemaIssues(kind.optionsSchema, filled.options ?? {}, written.options ?? {});
      files = kind.files?.(entry, folder) ?? [];
    } catch (thrown) {
      report(['type'], failureOfKind(kind.name, thrown));
      return undefined;
    }
    for (const { path, part, message } of wrong) report(['options', ...path], message, part);
    for (const { path, overriddenBy } of kind.unused?.(written) ?? []) {
      const message = `has no effect: ${overriddenBy} in the same entry takes precedence.`;
      findings.notices.push(entryIssue(hook, ['options', ...path], message, 'key'));
    }
    return {
      name,
      kind,
      written,
      entry,
      folder,
      files,
      defaults: hook.defaults,
      issue: (path, message) => entryIssue(hook, path, message),
    };
  }

  function kindOf(
    { name, entry }: MergedHook,
    report: (path: readonly PropertyKey[], message: string) => void,
  ): HookKind | undefined {
    const { type, path } = entry;
    if (type === undefined) {
      // Comparing each hook with each other would take unbounded time.
      const others = findings.issues.length < MAX_ISSUES ? merged.hooks : [];
      const near = nearestName(
        name,
        others.flatMap((other) => (other.entry.type === undefined ? [] : [other.name])),
      );
      const help = near ? `Did you mean the hook "${near}"?` : `Set one of: ${[...kinds.keys()].join(', ')}.`;
      report([], `type is missing, and no earlier file has a hook with this name. ${help}`);
      return undefined;
    }
    const kind = kinds.get(type);
    if (!kind) {
      const help = nearestOrAll(type, [...kinds.keys()]);
      report(['type'], `unknown hook type ${JSON.stringify(type)}. ${help}`);
      return undefined;
    }
    if (kind.name === 'module' && path === undefined) report([], 'a hook of type module needs a path.');
    if (kind.name !== 'module' && path !== undefined) report(['path'], `requires type module, got ${type}.`);
    return kind;
  }

  /** Native relative paths are relative to the folder of the file; in other formats they are relative as in their hosts. */
  function anchored(kind: HookKind, { options }: HookEntry, hook: MergedHook): Pick<HookEntry, 'options'> {
    const file = hook.sources.at(-1)!.file;
    if (file.dialect !== 'hookline' || (!options && kind.name !== 'process')) return {};
    return { options: kind.anchor((options ?? {}) as JsonObject, folderOf(hook, ['options'])) as never };
  }

  function settingsOf({ settings }: MergedConfig): CompiledConfig['settings'] {
    const fill = <T>(name: keyof MergedConfig['settings'], value: T, file: ConfigFile): T =>
      substitute(value, [name], {
        allowed,
        env,
        refuse: (path, message) => findings.issues.push(issueAt(file.source, file.toSource(path), message)),
        notice: (path, message) => findings.notices.push(issueAt(file.source, file.toSource(path), message)),
      });
    const { model, tools, workspace, agent, server, accept } = settings;
    const { state, reports, backplane } = server?.value ?? {};
    return {
      ...(model && { model: fill('model', model.value, model.file) }),
      ...(tools && { tools: tools.value }),
      ...(agent && { agent: agent.value }),
      ...(accept && { accept: accept.value }),
      ...(workspace && { workspace: from(workspace.file, fill('workspace', workspace.value, workspace.file)) }),
      ...(server && {
        server: {
          ...server.value,
          ...(state && { state: from(server.file, state) }),
          ...(reports && { reports: fill('server', reports, server.file) }),
          ...(backplane && { backplane: backplaneAt(server.file, fill('server', backplane, server.file)) }),
        },
      }),
    };
  }
}

function folderOf({ sources }: MergedHook, [field]: readonly [keyof HookEntry]): string {
  const { file } =
    sources.findLast((one) => one.file.config.hooks?.[one.name]?.[field] !== undefined) ?? sources.at(-1)!;
  return dirname(resolve(file.source.file));
}

/** Makes the paths of a backplane relative to their file. */
function backplaneAt(file: ConfigFile, { credentials, tls, ...rest }: BackplaneSettings): BackplaneSettings {
  const own = Object.entries(tls ?? {}).map(([name, path]) => [name, from(file, String(path))]);
  return {
    ...rest,
    ...(credentials !== undefined && { credentials: from(file, credentials) }),
    ...(tls && { tls: Object.fromEntries(own) }),
  };
}

function from(file: ConfigFile, path: string): string {
  return resolve(dirname(resolve(file.source.file)), path);
}

/** Returns an issue at `path` of a hook entry, located in the last file that sets that part. */
function entryIssue(hook: MergedHook, path: ConfigPath, message: string, part?: 'key' | 'value'): ConfigIssue {
  const { file, name } =
    hook.sources.findLast((one) => has(one.file.config.hooks?.[one.name], path)) ?? hook.sources.at(-1)!;
  return issueAt(file.source, file.toSource(['hooks', name, ...path]), message, path.length === 0 ? 'key' : part);
}

function has(value: unknown, path: ConfigPath): boolean {
  const [name, ...rest] = path;
  if (name === undefined) return value !== undefined;
  return typeof value === 'object' && value !== null && has((value as Record<PropertyKey, unknown>)[name], rest);
}

import { dirname, resolve } from 'node:path';
import { nearestName, nearestOrAll } from '../errors/nearest-name.ts';
import type { JsonObject } from '../events/values/json-value.ts';
import type { ConfigFile, Findings } from './dialects/dialect.ts';
import { type ConfigFault, faultAt, MOST_FAULTS } from './faults/fault.ts';
import { findSchemaFaults } from './faults/schema-faults.ts';
import type { HookKind } from './kinds/hook-kind.ts';
import type { HookKinds } from './kinds/hook-kinds.ts';
import { fileState } from './live/file-state.ts';
import { besideFloor, isFloorAlone } from './merge/floor.ts';
import { type MergedConfig, type MergedHook, type MergeOptions, mergeFiles } from './merge/merge-files.ts';
import { OWN_PREFIX } from './merge/reserved-names.ts';
import { secondOfKindFaults } from './merge/second-of-kind.ts';
import type { HookEntry, NativeConfig } from './native-schema.ts';
import type { ConfigPath } from './source/source.ts';
import { type Substitution, substitute } from './substitute.ts';

/** A hook of a configuration, ready to be made. */
export interface CompiledHook {
  readonly name: string;
  readonly kind: HookKind;
  /** As the files say it. */
  readonly written: HookEntry;
  /** With variables filled in and paths that lead somewhere. Not to be shown. */
  readonly entry: HookEntry;
  readonly folder: string;
  /** What the files say for hooks that do not say it themselves, as far as it holds for this one. */
  readonly defaults: NonNullable<NativeConfig['defaults']>;
  /** A fault of this hook, in its place. */
  fault(path: readonly PropertyKey[], message: string): ConfigFault;
}

/** What tells a hook from one that is made otherwise, the state of the files that it is made from included. */
export function identityOf({ name, kind, entry, folder, defaults }: CompiledHook): readonly unknown[] {
  return [name, kind.name, folder, entry, defaults, ...(kind.files?.(entry, folder) ?? []).map(fileState)];
}

/** A configuration, checked, all but what only making the hooks can tell. */
export interface CompiledConfig {
  readonly hooks: readonly CompiledHook[];
  /** What stands beside the hooks, filled in. Not to be shown. */
  readonly settings: Pick<NativeConfig, 'model' | 'tools' | 'workspace' | 'agent' | 'server'>;
  /** All of it in the native format, as the files say it. */
  readonly written: NativeConfig;
}

/** Merges files and checks what they say together. With faults the result is not to be used. */
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
  findings.faults.push(...secondOfKindFaults(hooks));
  findings.notices.push(...besideFloor(merged.hooks, kinds));
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
      findings.faults.push(entryFault(hook, path, message, part));
    };
    const file = hook.said.at(-1)!.file;
    if (name.startsWith(OWN_PREFIX))
      report([], `names that begin with ${OWN_PREFIX} are those of Hookline's own hooks. Use another.`);
    const kind = kindOf(hook, report);
    if (!kind) return undefined;
    const filled = substitute(written, [], {
      allowed,
      env,
      lenient: kind.name === 'command' || file.dialect !== 'hookline',
      refuse: report,
      notice: (path, message) => findings.notices.push(entryFault(hook, path, message)),
    });
    // What PicoClaw has switched off may be anything.
    const looked = written.enabled !== false || file.dialect !== 'picoclaw';
    const wrong = looked ? findSchemaFaults(kind.optionsSchema, filled.options ?? {}, written.options ?? {}) : [];
    for (const { path, part, message } of wrong) report(['options', ...path], message, part);
    for (const { path, beside } of kind.unused?.(written) ?? []) {
      const message = `has no effect: the entry says ${beside}, which goes before it.`;
      findings.notices.push(entryFault(hook, ['options', ...path], message, 'key'));
    }
    const folder = folderOf(hook, ['path']);
    return {
      name,
      kind,
      written,
      entry: { ...filled, ...anchored(kind, filled, hook) },
      folder,
      defaults: hook.defaults,
      fault: (path, message) => entryFault(hook, path, message),
    };
  }

  function kindOf(
    { name, entry }: MergedHook,
    report: (path: readonly PropertyKey[], message: string) => void,
  ): HookKind | undefined {
    const { type, path } = entry;
    if (type === undefined) {
      // To compare each with each would take as long as somebody likes.
      const others = findings.faults.length < MOST_FAULTS ? merged.hooks : [];
      const near = nearestName(
        name,
        others.flatMap((other) => (other.entry.type === undefined ? [] : [other.name])),
      );
      const help = near ? `Did you mean the hook "${near}"?` : `Give it one of: ${[...kinds.keys()].join(', ')}.`;
      report([], `it has no type, and no earlier file has a hook of this name. ${help}`);
      return undefined;
    }
    const kind = kinds.get(type);
    if (!kind) {
      const help = nearestOrAll(type, [...kinds.keys()]);
      report(['type'], `there is no kind of hook named ${JSON.stringify(type)}. ${help}`);
      return undefined;
    }
    if (kind.name === 'module' && path === undefined) report([], 'a hook of type module needs a path.');
    if (kind.name !== 'module' && path !== undefined) report(['path'], `goes with type module, not with ${type}.`);
    return kind;
  }

  /** Relative paths of ours begin at the folder of the file; those of others where their hosts begin them. */
  function anchored(kind: HookKind, { options }: HookEntry, hook: MergedHook): Pick<HookEntry, 'options'> {
    const file = hook.said.at(-1)!.file;
    if (file.dialect !== 'hookline' || (!options && kind.name !== 'process')) return {};
    return { options: kind.anchor((options ?? {}) as JsonObject, folderOf(hook, ['options'])) as never };
  }

  function settingsOf({ settings }: MergedConfig): CompiledConfig['settings'] {
    const fill = <T>(name: keyof MergedConfig['settings'], value: T, file: ConfigFile): T =>
      substitute(value, [name], {
        allowed,
        env,
        refuse: (path, message) => findings.faults.push(faultAt(file.source, file.toSource(path), message)),
        notice: (path, message) => findings.notices.push(faultAt(file.source, file.toSource(path), message)),
      });
    const { model, tools, workspace, agent, server } = settings;
    const state = server?.value.state;
    return {
      ...(model && { model: fill('model', model.value, model.file) }),
      ...(tools && { tools: tools.value }),
      ...(agent && { agent: agent.value }),
      ...(workspace && { workspace: from(workspace.file, fill('workspace', workspace.value, workspace.file)) }),
      ...(server && { server: { ...server.value, ...(state && { state: from(server.file, state) }) } }),
    };
  }
}

function folderOf({ said }: MergedHook, [member]: readonly [keyof HookEntry]): string {
  const { file } = said.findLast((one) => one.file.config.hooks?.[one.name]?.[member] !== undefined) ?? said.at(-1)!;
  return dirname(resolve(file.source.file));
}

function from(file: ConfigFile, path: string): string {
  return resolve(dirname(resolve(file.source.file)), path);
}

/** A fault at `path` within a hook's entry: in the last file that says that part. */
export function entryFault(hook: MergedHook, path: ConfigPath, message: string, part?: 'key' | 'value'): ConfigFault {
  const { file, name } =
    hook.said.findLast((said) => has(said.file.config.hooks?.[said.name], path)) ?? hook.said.at(-1)!;
  return faultAt(file.source, file.toSource(['hooks', name, ...path]), message, path.length === 0 ? 'key' : part);
}

function has(value: unknown, path: ConfigPath): boolean {
  const [name, ...rest] = path;
  if (name === undefined) return value !== undefined;
  return typeof value === 'object' && value !== null && has((value as Record<PropertyKey, unknown>)[name], rest);
}

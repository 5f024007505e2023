import type { ConfigFile, Findings } from '../dialects/dialect.ts';
import { issueAt } from '../issues/config-issue.ts';
import type { HookKind } from '../kinds/hook-kind.ts';
import type { HookKinds } from '../kinds/hook-kinds.ts';
import { failureOfKind } from '../kinds/kind-failure.ts';
import type { HookEntry, NativeConfig } from '../native-schema.ts';
import type { ConfigPath } from '../source/source.ts';
import { isFloor } from './floor.ts';
import { createFreeNames } from './free-name.ts';
import { policyWeakenings, type Standing, weakenings } from './weakenings.ts';

export interface MergedHook extends Standing {
  readonly name: string;
  /** The files that configure the hook, with the name that each file uses, latest last. */
  readonly sources: readonly HookSource[];
}

interface HookSource {
  readonly file: ConfigFile;
  readonly name: string;
}

/** The merged configuration. Hooks are in the order of their first occurrence. */
export interface MergedConfig {
  readonly hooks: readonly MergedHook[];
  /** For each field other than hooks, the last file that sets it. */
  readonly settings: {
    readonly [K in SettingName]?: { readonly value: NonNullable<NativeConfig[K]>; readonly file: ConfigFile };
  };
}

export interface MergeOptions {
  /** Whether later files may weaken a hook of an earlier file. */
  readonly allowWeaker?: boolean;
}

const settingNames = ['defaults', 'model', 'tools', 'workspace', 'agent', 'server', 'accept'] as const;
type SettingName = (typeof settingNames)[number];

/**
 * Merges files field by field. Later files take precedence. A change that weakens a hook is ignored and reported as a notice. It applies if the file
 * that set up the hook sets `weaker`, or if the operator sets `allowWeaker`. A hook that is always enabled is weakened only by a file that sets
 * `weaker` itself.
 */
export function mergeFiles(
  files: readonly ConfigFile[],
  kinds: HookKinds,
  { issues, notices }: Findings,
  { allowWeaker = false }: MergeOptions = {},
): MergedConfig {
  const hooks = new Map<string, MergedHook>();
  const freeName = createFreeNames((name) => hooks.has(name));
  const settings: Record<string, unknown> = {};
  let defaults: Standing['defaults'] = {};
  for (const file of files) {
    const { config } = file;
    for (const name of settingNames) if (config[name] !== undefined) settings[name] = { value: config[name], file };
    if (config.defaults) {
      defaults = config.defaults;
      for (const hook of hooks.values()) hooks.set(hook.name, underDefaults(hook, defaults, file));
    }
    for (const [given, entry] of Object.entries(config.hooks ?? {})) {
      const name = file.dialect === 'claude' ? freeName(given) : given;
      const before = hooks.get(name);
      const sources = [...(before?.sources ?? []), { file, name: given }];
      const weaker = config.weaker && entry.weaker === undefined && !before ? { weaker: true } : {};
      if (before)
        hooks.set(name, {
          ...before,
          entry: mergeEntries(before.entry, tightened(before, entry, file, given)),
          sources,
        });
      else hooks.set(name, { name, entry: { ...entry, ...weaker }, defaults, sources });
    }
  }
  return { hooks: [...hooks.values()], settings: settings as MergedConfig['settings'] };

  /** Returns the entry of a later file without the changes that would weaken the hook. */
  function tightened(before: MergedHook, entry: HookEntry, file: ConfigFile, given: string): HookEntry {
    const kind = kinds.get(before.entry.type ?? '');
    const floor = isFloor(before);
    if (!kind || (allowWeaker && !floor)) return entry;
    const after = { ...before, entry: mergeEntries(before.entry, entry) };
    const all = weakeningsOf(kind, before, after, file, given);
    const weaker = all.filter(([field]) => field !== undefined && field in entry);
    if (floor && (entry.weaker ?? file.config.weaker)) {
      for (const path of weaker)
        addNotice(file, ['hooks', given, ...path], `weakens "${before.name}", which is always on.`);
      return entry;
    }
    for (const path of weaker) ignore(before, file, ['hooks', given, ...path], kind.approves(before.entry));
    // Options of another kind would have another meaning.
    const gone = weaker.some(([field]) => field === 'type') ? [...weaker, ['options']] : weaker;
    return gone.reduce(without, entry);
  }

  function weakeningsOf(
    kind: HookKind,
    before: Standing,
    after: Standing,
    file: ConfigFile,
    given: string,
  ): ReturnType<typeof weakenings> {
    try {
      return weakenings(kind, before, after);
    } catch (thrown) {
      issues.push(issueAt(file.source, file.toSource(['hooks', given]), failureOfKind(kind.name, thrown), 'key'));
      return [];
    }
  }

  function underDefaults(hook: MergedHook, later: Standing['defaults'], file: ConfigFile): MergedHook {
    if (isFloor(hook)) return hook;
    const kind = kinds.get(hook.entry.type ?? '');
    const after = { ...hook, defaults: later };
    const keeps = kind && hook.entry.enabled !== false && !hook.entry.weaker && !allowWeaker;
    const weaker = keeps ? policyWeakenings(kind, hook, after) : [];
    for (const field of weaker) ignore(hook, file, ['defaults', field], kind?.approves(hook.entry));
    return weaker.length > 0 ? hook : after;
  }

  function ignore(hook: MergedHook, file: ConfigFile, path: ConfigPath, refuses = true): void {
    const first = hook.sources[0]?.file.source.file;
    const [who, way] = isFloor(hook)
      ? ['is always on', 'Add weaker: true to this hook, or use --preset none.']
      : [
          `${refuses ? 'may deny calls, and ' : ''}was configured by ${first}`,
          'Change it there, add weaker: true there, or use --allow-weaker.',
        ];
    const why = `this could weaken it: ${refuses ? 'it may deny fewer calls' : 'it may withhold less'}`;
    addNotice(file, path, `has no effect: "${hook.name}" ${who}; ${why}. ${way}`);
  }

  function addNotice(file: ConfigFile, path: ConfigPath, message: string): void {
    notices.push(issueAt(file.source, file.toSource(path), message, 'key'));
  }
}

function mergeEntries(before: HookEntry, later: HookEntry): HookEntry {
  const merged = { ...before, ...later };
  if (before.match && later.match) merged.match = { ...before.match, ...later.match };
  // Options of another kind would have another meaning.
  const sameKind = later.type === undefined || later.type === before.type;
  if (before.options && !sameKind && !later.options) delete merged.options;
  if (before.options && later.options && sameKind) merged.options = { ...before.options, ...later.options };
  return merged;
}

function without(entry: HookEntry, [field, option]: ConfigPath): HookEntry {
  const { [field as keyof HookEntry]: value, ...rest } = entry;
  if (option === undefined) return rest;
  const { [option as string]: _, ...options } = value as NonNullable<HookEntry['options']>;
  return { ...rest, ...(Object.keys(options).length > 0 && { options }) };
}

import type { ConfigFile, Findings } from './dialects/dialect.ts';
import { freeName } from './free-name.ts';
import type { HookKind } from './kinds/hook-kind.ts';
import type { HookKinds } from './kinds/hook-kinds.ts';
import type { HookEntry, NativeConfig } from './native-schema.ts';
import type { ConfigPath } from './source/source.ts';

/** A hook as the files say it together. */
export interface MergedHook {
  readonly name: string;
  readonly entry: HookEntry;
  /** The files that say something of it, with the name that each gives it; the latest last. */
  readonly said: readonly Said[];
}

interface Said {
  readonly file: ConfigFile;
  readonly name: string;
}

/** What the files say together; hooks in the order in which they are met first. */
export interface MergedConfig {
  readonly hooks: readonly MergedHook[];
  /** The last file that says it, for each member beside the hooks. */
  readonly settings: {
    readonly [K in SettingName]?: { readonly value: NonNullable<NativeConfig[K]>; readonly file: ConfigFile };
  };
}

const settingNames = ['defaults', 'model', 'tools', 'workspace', 'agent', 'server'] as const;
type SettingName = (typeof settingNames)[number];

/** Merges files: the later one wins, field by field. An approver stays: it is not switched off, narrowed or replaced by a later file, which is noticed. */
export function mergeFiles(files: readonly ConfigFile[], kinds: HookKinds, { notices }: Findings): MergedConfig {
  const hooks = new Map<string, MergedHook>();
  const settings: Record<string, unknown> = {};
  for (const file of files) {
    const { config } = file;
    for (const name of settingNames) if (config[name] !== undefined) settings[name] = { value: config[name], file };
    for (const [given, entry] of Object.entries(config.hooks ?? {})) {
      const name = file.dialect === 'claude' ? freeName(given, (taken) => hooks.has(taken)) : given;
      const before = hooks.get(name);
      const said = [...(before?.said ?? []), { file, name: given }];
      const kind = before && kinds.get(before.entry.type ?? '');
      const taken = before && kind?.approves(before.entry) ? keepApprover(before, kind, entry, file, given) : entry;
      hooks.set(name, { name, entry: before ? mergeEntries(before.entry, taken) : taken, said });
    }
  }
  return { hooks: [...hooks.values()], settings: settings as MergedConfig['settings'] };

  function keepApprover(
    before: MergedHook,
    kind: HookKind,
    entry: HookEntry,
    file: ConfigFile,
    name: string,
  ): HookEntry {
    const { enabled, match, type, path, phase, options, ...rest } = entry;
    const ignore = (member: string): void => {
      const at: ConfigPath = file.toSource(['hooks', name, member]);
      const first = before.said[0]?.file.source.file;
      notices.push({
        file: file.source.file,
        ...file.source.placeOf(at, 'key'),
        path: at,
        message: `has no effect: "${before.name}" may refuse calls, and was set up by ${first}; a later file does not take that away. Change it there.`,
      });
    };
    if (enabled === false && before.entry.enabled !== false) ignore('enabled');
    if (match !== undefined && !same(match, before.entry.match)) ignore('match');
    if (type !== undefined && type !== before.entry.type) ignore('type');
    if (path !== undefined && path !== before.entry.path) ignore('path');
    if (phase !== undefined && phase !== before.entry.phase) ignore('phase');
    // Options of another kind would mean something else here; those of its own may be what makes it ask for calls.
    const tuned = options && (type === undefined || type === before.entry.type);
    const judges = tuned && !kind.weakens?.(before.entry, mergeEntries(before.entry, { options }));
    if (tuned && !judges) ignore('options');
    return { ...rest, ...(enabled === true && { enabled }), ...(judges && { options }) };
  }
}

function mergeEntries(before: HookEntry, later: HookEntry): HookEntry {
  const merged = { ...before, ...later };
  if (before.match && later.match) merged.match = { ...before.match, ...later.match };
  // Options of another kind would mean something else.
  const sameKind = later.type === undefined || later.type === before.type;
  if (before.options && !sameKind && !later.options) delete merged.options;
  if (before.options && later.options && sameKind) merged.options = { ...before.options, ...later.options };
  return merged;
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

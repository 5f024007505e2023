import type { JsonValue } from '../../events/values/json-value.ts';
import type { CompiledConfig, CompiledHook } from '../compile-config.ts';
import type { ConfigFile, Findings } from '../dialects/dialect.ts';
import { issueAt } from '../issues/config-issue.ts';
import { filesOnlyAt, isMarked } from '../issues/schema-at.ts';
import type { HookKinds } from '../kinds/hook-kinds.ts';
import { createFreeNames } from '../merge/free-name.ts';
import { weakenings } from '../merge/weakenings.ts';
import type { HookEntry } from '../native-schema.ts';
import { readConfig } from '../read-config.ts';
import type { ConfigPath, Source } from '../source/source.ts';

/** The base that a layer applies to. */
export interface LayerBase {
  readonly config: CompiledConfig;
  readonly kinds: HookKinds;
}

/**
 * Reads a configuration that is not a file of the operator, in the native format or that of JARVIS. It may add hooks of the catalogue, enable
 * disabled hooks of the base, and tighten enabled ones. It cannot name commands, modules, files or variables.
 */
export function readLayer(source: Source, base: LayerBase, findings: Findings): ConfigFile | undefined {
  const read = readConfig(source, findings);
  if (!read) return undefined;
  const baseHooks = new Map(base.config.hooks.map(({ name, written }) => [name, written]));
  const file = read.dialect === 'jarvis' ? renameOverBase(read, baseHooks) : read;
  const refuse = (path: ConfigPath, message: string): void => {
    findings.issues.push(issueAt(source, file.toSource(path), message, 'key'));
  };
  if (file.dialect === 'claude' || file.dialect === 'picoclaw') {
    refuse(['hooks'], 'only a configuration file may contain commands; use built-in hooks here.');
    return undefined;
  }
  for (const name of Object.keys(file.config)) {
    if (name !== 'hooks' && name !== 'version' && name !== '$schema') refuse([name], ONLY_FILES);
  }
  for (const [name, entry] of Object.entries(file.config.hooks ?? {})) {
    const known = base.config.hooks.find((hook) => hook.name === name);
    const at: ConfigPath = ['hooks', name];
    if (!NAME.test(name)) refuse(at, BAD_NAME);
    if (!known) checkNew(entry, at);
    else if (known.entry.enabled === false || known.entry.weaker) checkSwitchedOn(entry, known, at);
    else checkTightened(entry, known, at);
    refuseOddValues(entry as JsonValue, at);
  }
  return { ...file, config: { hooks: file.config.hooks ?? {} } };

  function checkNew(entry: HookEntry, at: ConfigPath): void {
    const kind = base.kinds.get(entry.type ?? '');
    if (kind?.origin === 'file') refuse([...at, 'type'], ONLY_FILES);
    if (entry.path !== undefined) refuse([...at, 'path'], ONLY_FILES);
    for (const [name, value] of Object.entries(entry.options ?? {})) {
      if (!kind) continue;
      const refused = filesOnlyAt(kind.optionsSchema, [name]).includes(value);
      if (refused || isMarked(kind.optionsSchema, [name], 'local')) refuse([...at, 'options', name], ONLY_FILES);
    }
  }

  /** The operator provides the hook disabled; a layer may change it within the limits of new hooks. */
  function checkSwitchedOn(entry: HookEntry, { kind, written }: CompiledHook, at: ConfigPath): void {
    if (entry.type !== undefined && entry.type !== written.type)
      refuse([...at, 'type'], 'the base has another type. Use the type of the base, or another name.');
    if (kind.origin === 'file' && entry.options !== undefined) refuse([...at, 'options'], ONLY_FILES);
    checkNew({ ...entry, type: kind.origin === 'file' ? undefined : kind.name }, at);
  }

  function checkTightened(entry: HookEntry, hook: CompiledHook, at: ConfigPath): void {
    const { name, kind, written, entry: now } = hook;
    const { onFailure, timeoutMs } = entry;
    for (const field of Object.keys(entry) as (keyof HookEntry)[]) {
      if (JSON.stringify(entry[field]) === JSON.stringify(written[field])) continue;
      if (field === 'enabled' && entry.enabled === true) continue;
      if (field === 'onFailure' && onFailure === 'block') continue;
      // For a hook that blocks on failure, less time is stricter. A script of a command hook may have its own failure policy.
      const blocks = (onFailure ?? now.onFailure) === 'block' && kind.name !== 'command';
      if (field === 'timeoutMs' && blocks && timeoutMs! <= (now.timeoutMs ?? 0)) continue;
      if (field === 'options' && isStricter(entry, hook)) {
        checkNew({ type: kind.name, options: entry.options! }, at);
        continue;
      }
      refuse(
        [...at, field],
        `the base enables "${name}", so this configuration cannot disable or weaken it. Add a hook with another name, such as "${name}.own".`,
      );
    }
  }

  /** Returns whether changed options are at least as strict. Only kinds that can compare them are allowed. */
  function isStricter({ options }: HookEntry, { kind, written, defaults }: CompiledHook): boolean {
    if (kind.origin === 'file' || !kind.approves(written)) return false;
    const after = { ...written, options: { ...written.options, ...options } };
    return weakenings(kind, { entry: written, defaults }, { entry: after, defaults }).length === 0;
  }

  function refuseOddValues(value: JsonValue | undefined, path: ConfigPath): void {
    if (typeof value === 'string' && /(?<!\$)\$\{[A-Za-z_]\w*\}/.test(value)) {
      refuse(path, 'only configuration files may use variables; write $$ for a literal $.');
    }
    if (Array.isArray(value) && value.length > MOST_ITEMS) {
      refuse(path, `has ${value.length} items; the limit outside of configuration files is ${MOST_ITEMS}.`);
    }
    if (typeof value !== 'object' || value === null) return;
    for (const [key, field] of Object.entries(value)) refuseOddValues(field, [...path, key]);
  }
}

/** A name that is valid in an API path and in a log line. */
const NAME = /^(?!\.{1,2}$)(?! )[^\p{C}\p{Zl}\p{Zp}]{1,200}(?<! )$/u;
const BAD_NAME =
  'not a name: it needs 1 to 200 characters without control characters, no space at either end, and not "." or "..".';
/** Maximum length of a list, because user input must be bounded. */
const MOST_ITEMS = 100;
const ONLY_FILES = 'only a configuration file may set this field.';

/**
 * Renames the hooks of a layer whose handlers have no names of their own, as in JARVIS. A hook that differs from the base hook of the same name gets another
 * name, because it is a further hook and not a change.
 */
function renameOverBase(layer: ConfigFile, base: ReadonlyMap<string, HookEntry>): ConfigFile {
  const given = Object.entries(layer.config.hooks ?? {});
  const own = new Set(given.map(([name]) => name));
  const freeName = createFreeNames((name) => base.has(name) || own.has(name));
  const names = new Map(given.map(([name, entry]) => [ownName(name, entry), name]));
  const hooks = Object.fromEntries([...names].map(([own, name]) => [own, layer.config.hooks![name]!]));
  return {
    ...layer,
    config: { ...layer.config, hooks },
    toSource([root, name, ...rest]) {
      const known = root === 'hooks' ? names.get(String(name)) : undefined;
      if (known !== undefined) return layer.toSource(['hooks', known, ...rest]);
      return layer.toSource([root, name, ...rest].filter((part) => part !== undefined));
    },
  };

  function ownName(name: string, entry: HookEntry): string {
    const known = base.get(name);
    if (!known || JSON.stringify(known) === JSON.stringify(entry)) return name;
    return freeName(`${name}.own`);
  }
}

import type { JsonValue } from '../../events/values/json-value.ts';
import type { CompiledConfig, CompiledHook } from '../compile-config.ts';
import type { ConfigFile, Findings } from '../dialects/dialect.ts';
import { faultAt } from '../faults/fault.ts';
import { filesOnlyAt, isMarked } from '../faults/schema-at.ts';
import type { HookKinds } from '../kinds/hook-kinds.ts';
import { weakenings } from '../merge/weakenings.ts';
import type { HookEntry } from '../native-schema.ts';
import { readConfig } from '../read-config.ts';
import type { ConfigPath, Source } from '../source/source.ts';
import { besideBase } from './beside-base.ts';

/** What a layer is laid over. */
export interface LayerBase {
  readonly config: CompiledConfig;
  readonly kinds: HookKinds;
}

/**
 * Reads a configuration that did not come from a file of the operator's: in the native form or that of JARVIS. It may add hooks of the
 * catalogue, switch on what the base has switched off, and tighten what it has switched on; it names no command, module, file or variable.
 */
export function readLayer(source: Source, base: LayerBase, findings: Findings): ConfigFile | undefined {
  const read = readConfig(source, findings);
  if (!read) return undefined;
  const said = new Map(base.config.hooks.map(({ name, written }) => [name, written]));
  const file = read.dialect === 'jarvis' ? besideBase(read, said) : read;
  const refuse = (path: ConfigPath, message: string): void => {
    findings.faults.push(faultAt(source, file.toSource(path), message, 'key'));
  };
  if (file.dialect === 'claude' || file.dialect === 'picoclaw') {
    refuse(['hooks'], 'it names commands, which only a configuration file may do; here stand hooks of the catalogue.');
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

  /** The file has it ready; what is added here is ours to shape, as far as anything here is. */
  function checkSwitchedOn(entry: HookEntry, { kind, written }: CompiledHook, at: ConfigPath): void {
    if (entry.type !== undefined && entry.type !== written.type) refuse([...at, 'type'], 'the base has another type.');
    if (kind.origin === 'file' && entry.options !== undefined) refuse([...at, 'options'], ONLY_FILES);
    checkNew({ ...entry, type: kind.origin === 'file' ? undefined : kind.name }, at);
  }

  function checkTightened(entry: HookEntry, hook: CompiledHook, at: ConfigPath): void {
    const { name, kind, written, entry: now } = hook;
    const { onFailure, timeoutMs } = entry;
    for (const member of Object.keys(entry) as (keyof HookEntry)[]) {
      if (JSON.stringify(entry[member]) === JSON.stringify(written[member])) continue;
      if (member === 'enabled' && entry.enabled === true) continue;
      if (member === 'onFailure' && onFailure === 'block') continue;
      // To a hook that blocks when it fails less time is stricter. A script of a command hook may say itself that it does not.
      const blocks = (onFailure ?? now.onFailure) === 'block' && kind.name !== 'command';
      if (member === 'timeoutMs' && blocks && timeoutMs! <= (now.timeoutMs ?? 0)) continue;
      if (member === 'options' && isStricter(entry, hook)) {
        checkNew({ type: kind.name, options: entry.options! }, at);
        continue;
      }
      refuse(
        [...at, member],
        `the base has "${name}" switched on, and what is laid over it only adds or tightens. Add a hook of another name, "${name}.own" say.`,
      );
    }
  }

  /** Other options are taken only where the kind can tell that they judge no less. */
  function isStricter({ options }: HookEntry, { kind, written, defaults }: CompiledHook): boolean {
    if (kind.origin === 'file' || !kind.approves(written)) return false;
    const after = { ...written, options: { ...written.options, ...options } };
    return weakenings(kind, { entry: written, defaults }, { entry: after, defaults }).length === 0;
  }

  function refuseOddValues(value: JsonValue | undefined, path: ConfigPath): void {
    if (typeof value === 'string' && /(?<!\$)\$\{[A-Za-z_]\w*\}/.test(value)) {
      refuse(path, 'variables may be named in configuration files only; a second $ in front makes it plain text.');
    }
    if (Array.isArray(value) && value.length > MOST_ITEMS) {
      refuse(path, `has ${value.length} items; outside of configuration files ${MOST_ITEMS} are the most.`);
    }
    if (typeof value !== 'object' || value === null) return;
    for (const [key, member] of Object.entries(value)) refuseOddValues(member, [...path, key]);
  }
}

/** A name that a path of the API can hold, and a line of a log. */
const NAME = /^(?!\.{1,2}$)(?! )[^\p{C}\p{Zl}\p{Zp}]{1,200}(?<! )$/u;
const BAD_NAME =
  'not a name: it needs 1 to 200 characters without control characters, no space at either end, and not "." or "..".';
/** Of a list: what users may have made for them is bounded. */
const MOST_ITEMS = 100;
const ONLY_FILES = 'only a configuration file may say this.';

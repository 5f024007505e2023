import { join } from 'node:path';
import { HooklineError } from '../../../errors.ts';
import { isObject } from '../../../events/values/is-object.ts';
import type { JsonObject, JsonValue } from '../../../events/values/json-value.ts';
import type { DialectName } from '../dialects/dialect-names.ts';
import { userFolder } from '../host-settings.ts';
import { isHookOf } from './command-line.ts';
import { firstOurs, type IsOurs, isSame, withEntry, withoutEntries } from './hook-lists.ts';
import type { HostWriter, InstallFlags } from './host-writer.ts';
import { editJson, jsonText, parseCommented, parseSettings } from './json-settings.ts';

/** A host whose settings have a list of hooks for each event. */
export interface ListHost {
  readonly host: DialectName;
  /** Relative to the folder of the host. */
  readonly user: string;
  /** Relative to the project. */
  readonly project: string;
  /** Other fields that the host requires. */
  readonly root?: JsonObject;
  /** The event before a call. */
  readonly call: string;
  /** The field of a hook with the command for the shell. */
  readonly field?: 'command' | 'bash';
  /** The one for PowerShell. */
  readonly windowsField?: 'commandWindows' | 'powershell';
  /** Whether the host ignores comments in the settings. */
  readonly comments?: boolean;
  /** The entry of each event. */
  hooks(flags: InstallFlags): Readonly<Record<string, JsonValue>>;
  readonly byHand?: readonly string[];
}

const COMMANDS = ['command', 'bash', 'powershell', 'commandWindows'];

export function listWriter({ host, root = {}, byHand = [], ...of }: ListHost): HostWriter {
  const isOurHook = isHookOf(host);
  const isOurs: IsOurs = (handler) => isObject(handler) && COMMANDS.some((field) => isOurHook(handler[field]));
  const all = (flags: InstallFlags): JsonObject => ({
    ...root,
    hooks: Object.fromEntries(Object.entries(of.hooks(flags)).map(([event, entry]) => [event, [entry]])),
  });

  function changed(
    text: string,
    settings: JsonObject,
    file: string,
    entries: Readonly<Record<string, JsonValue>>,
  ): string {
    const hooks = hooksOf(settings, file);
    const next: Record<string, JsonValue> = { ...hooks };
    let edited = text;
    for (const event of new Set([...Object.keys(hooks), ...Object.keys(entries)])) {
      const list = hooks[event] ?? [];
      const entry = entries[event];
      if (!Array.isArray(list)) {
        if (entry === undefined) continue;
        throw new HooklineError('INPUT_INVALID', `${file}: hooks.${event} must be a list. The file was not changed.`);
      }
      const wanted = entry === undefined ? withoutEntries(list, isOurs) : withEntry(list, entry, isOurs);
      if (isSame(wanted, list)) continue;
      if (wanted.length > 0) next[event] = wanted as JsonValue[];
      else delete next[event];
      edited = editJson(edited, ['hooks', event], next[event]);
    }
    const wanted: JsonObject = { ...settings, hooks: next };
    // A repeated key would hide what was written.
    if (edited === text || isSame(JSON.parse(edited), wanted)) return edited;
    throw new HooklineError('INPUT_INVALID', `${file} repeats a key. Correct it first; it was not changed.`);
  }

  return {
    byHand,
    file: (scope) => (scope === 'user' ? join(userFolder(host), of.user) : join(process.cwd(), of.project)),
    add(old, file, flags) {
      if (old === undefined || old.trim() === '') return jsonText(all(flags));
      let text = old;
      const settings = parseSettings(old, file, () => `Add this by hand:\n${jsonText(all(flags))}`);
      for (const [field, value] of Object.entries(root))
        if (settings[field] === undefined) text = editJson(text, [field], value);
      return changed(text, JSON.parse(text) as JsonObject, file, of.hooks(flags));
    },
    remove(old, file) {
      if (old.trim() === '') return old;
      const settings = parseSettings(old, file, () => 'Remove the hooks by hand.');
      const text = changed(old, settings, file, {});
      if (text === old) return old;
      const { hooks, ...rest } = JSON.parse(text) as JsonObject;
      if (isObject(hooks) && Object.keys(hooks).length > 0) return text;
      return Object.keys(rest).every((field) => field in root) ? undefined : editJson(text, ['hooks'], undefined);
    },
    installed(text, file) {
      if (text.trim() === '') return undefined;
      const settings = of.comments
        ? parseCommented(text, file)
        : parseSettings(text, file, () => 'Its hooks were not tested.');
      const list = hooksOf(settings, file)[of.call];
      const found = Array.isArray(list) ? firstOurs(list, isOurs) : undefined;
      const windows = process.platform === 'win32' ? of.windowsField : undefined;
      const command = found?.handler[windows ?? of.field ?? 'command'];
      return found && typeof command === 'string' ? { command, at: found.at } : undefined;
    },
  };
}

function hooksOf({ hooks = {} }: JsonObject, file: string): JsonObject {
  if (isObject(hooks)) return hooks;
  throw new HooklineError('INPUT_INVALID', `${file}: "hooks" must be an object. The file was not changed.`);
}

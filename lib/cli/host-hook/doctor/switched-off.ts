import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import type { DialectName } from '../dialects/dialect-names.ts';
import { userFolder } from '../host-settings.ts';
import type { InstalledHook } from '../install/host-writer.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Whether a host runs its hooks at all. */
export interface HostState {
  /** Of Codex only: whether a person trusted the hook. */
  readonly trusted?: boolean | 'unknown';
  /** Why the host runs no hooks. */
  readonly off?: string;
}

/** Reads whether the settings of a host switch its hooks off, or lack the trust that it requires. */
export function hostState(host: DialectName, file: string, hook: InstalledHook): HostState {
  switch (host) {
    case 'codex':
      return codexState(file, hook);
    case 'claude':
      return fieldsOf(file)['disableAllHooks'] === true ? { off: `${file} sets disableAllHooks` } : {};
    case 'copilot': {
      const settings = join(dirname(dirname(file)), 'settings.json');
      return fieldsOf(settings)['disableAllHooks'] === true ? { off: `${settings} sets disableAllHooks` } : {};
    }
    case 'gemini': {
      const { enabled, disabled } = child(fieldsOf(file), 'hooksConfig') as { enabled?: unknown; disabled?: unknown };
      const off = enabled === false || (Array.isArray(disabled) && disabled.includes('hookline'));
      return off ? { off: `hooksConfig in ${file} disables the hooks` } : {};
    }
    default:
      return {};
  }
}

function codexState(file: string, { at = [0, 0] }: InstalledHook): HostState {
  const config = join(userFolder('codex'), 'config.toml');
  if (!existsSync(config)) return { trusted: false };
  try {
    const settings = parseToml(readFileSync(config, 'utf8')) as Fields;
    if (child(settings, 'features')['hooks'] === false) return { off: `[features] in ${config} sets hooks = false` };
    const state = child(child(settings, 'hooks'), 'state');
    const keys = [file, realpathSync(file)].map((path) => `${path}:pre_tool_use:${at.join(':')}`);
    return { trusted: keys.some((key) => typeof child(state, key)['trusted_hash'] === 'string') };
  } catch {
    return { trusted: 'unknown' };
  }
}

function child(fields: Fields, name: string): Fields {
  const value = fields[name];
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function fieldsOf(file: string): Fields {
  try {
    return child({ read: parse(readFileSync(file, 'utf8')) }, 'read');
  } catch {
    return {};
  }
}

import { resolve } from 'node:path';
import { z } from 'zod';
import type { JsonValue } from '../../events/values/json-value.ts';
import { verdict } from '../../pipeline/define/hook.ts';
import { compileSettings } from '../../process-hooks/claude/settings/compile-settings.ts';
import { CONFIG_SOURCE } from '../../process-hooks/claude/settings/event-names.ts';
import { type ClaudeSettings, claudeSettingsSchema } from '../../process-hooks/claude/settings/settings.ts';
import { type ClaudeHooksOptions, claudeHooks, claudeHooksOptionsSchema } from '../../process-hooks/index.ts';
import { foreignCodeBegins } from '../modules/foreign-code.ts';
import type { HookEntry } from '../native-schema.ts';
import { applyEntry } from './apply-entry.ts';
import { changesWeaken, type HookKind } from './hook-kind.ts';

/** Created when a file has such a hook. The modules of most files need not be loaded. */
let optionsSchema: HookKind['optionsSchema'] | undefined;

function createOptionsSchema(): HookKind['optionsSchema'] {
  const settings = z.union([z.string().min(1), claudeSettingsSchema]);
  return claudeHooksOptionsSchema
    .omit({ name: true, priority: true, confirm: true, onDiagnostic: true, log: true })
    .extend({
      settings: z
        .union([settings, z.array(settings).min(1)])
        .describe('Settings, the path of a settings file, or a list of both.'),
    });
}

/** Command, http and prompt hooks of Claude Code settings. */
export const commandKind: HookKind = {
  name: 'command',
  description: 'Runs command, http and prompt hooks in the format of Claude Code settings.',
  origin: 'file',
  get optionsSchema() {
    optionsSchema ??= createOptionsSchema();
    return optionsSchema;
  },
  example: {
    settings: {
      hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: './guard.sh' }] }] },
    },
  },
  approves: () => true,
  failsOpen: true,
  weakens: changesWeaken,
  anchor({ settings, cwd, ...options }, folder) {
    const placed = (one: JsonValue): JsonValue => (typeof one === 'string' ? resolve(folder, one) : one);
    return {
      ...options,
      ...(cwd !== undefined && { cwd: placed(cwd) }),
      ...(settings !== undefined && {
        settings: Array.isArray(settings) ? settings.map(placed) : placed(settings as JsonValue),
      }),
    };
  },
  files: ({ options }) => [options?.['settings']].flat().filter((one) => typeof one === 'string'),
  unused: ({ timeoutMs, onFailure, options = {} }) => [
    ...(timeoutMs !== undefined && options['timeoutMs'] !== undefined
      ? [{ path: ['timeoutMs'], overriddenBy: 'timeoutMs' as const }]
      : []),
    ...(onFailure !== undefined && options['onFailure'] !== undefined
      ? [{ path: ['onFailure'], overriddenBy: 'onFailure' as const }]
      : []),
  ],
  notices({ options }) {
    const settings = [options?.['settings'] ?? []].flat() as (ClaudeSettings | string)[];
    const notices: { path: string[]; message: string }[] = [];
    // A single settings object is in the options. For a file or a list, only the whole has a location.
    const inside = settings.length === 1 && typeof settings[0] === 'object' && !Array.isArray(options?.['settings']);
    compileSettings(settings, ({ event, message }) => {
      notices.push({ path: ['settings', ...(inside && event !== undefined ? ['hooks', event] : [])], message });
    });
    return notices;
  },
  make({ name, entry, defaults, host }) {
    const { settings, ...options } = (entry.options ?? {}) as { settings: Parameters<typeof claudeHooks>[0] };
    // A matcher is a regular expression that may backtrack for minutes.
    foreignCodeBegins();
    const hook = claudeHooks(settings, {
      ...(host.workspace !== undefined && { cwd: host.workspace }),
      ...forScripts(defaults),
      ...(options as ClaudeHooksOptions),
      ...forScripts(entry),
      name,
      confirm: host.confirm ?? ((_, reason) => verdict.suspend(reason)),
      ...(host.log && { log: host.log }),
    });
    // Its handlers have the timeouts of the settings.
    const { timeoutMs: _, ...own } = entry;
    return {
      hooks: [applyEntry(hook, name, own)],
      close: () => hook.close(),
      // Only the host can tell the kinds of settings files apart; a project's are the shared ones.
      mayChange: (edit) => hook.mayChange({ source: CONFIG_SOURCE, ...edit }),
    };
  },
};

/** Returns the timeout and failure policy for scripts that do not set their own. */
function forScripts({ timeoutMs, onFailure }: Pick<HookEntry, 'timeoutMs' | 'onFailure'>): ClaudeHooksOptions {
  return {
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(onFailure && { onFailure: onFailure === 'block' ? 'block' : 'continue' }),
  };
}

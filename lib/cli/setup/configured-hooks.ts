import { join } from 'node:path';
import { type CompiledConfig, createLiveHooks, type HookHost, type LiveHooks } from '../../config/index.ts';
import type { GuardedHost } from '../../config/reach/host-parts.ts';
import { idleGuards } from '../../config/reach/idle-guards.ts';
import { HooklineError } from '../../errors.ts';
import { type DangerousConfirmationOptions, fileStateStore, type Inbox } from '../../hooks/index.ts';
import { usualRedactor } from '../../hooks/usual-redactor.ts';
import type { Hook } from '../../pipeline/define/hook.ts';
import type { Model } from '../../pipeline/define/model.ts';
import type { PipelineOptions } from '../../pipeline/settings.ts';
import { floorHooks } from '../presets/floor.ts';
import { configFiles, type Preset } from '../presets/preset.ts';
import { loadHooks } from './load-hooks.ts';
import { lookOnly } from './look-only.ts';

/** What the command line says of hooks. */
export interface HookFlags {
  /** Configuration files. */
  readonly config: readonly string[];
  readonly preset?: Preset;
  /** Modules, or names of built-in hooks. */
  readonly hooks: readonly string[];
  /** Whether later files may make hooks of earlier ones refuse less. */
  readonly allowWeaker?: boolean;
}

/** What configured hooks are given. */
export interface HookParts {
  /** The file of the audit that is on by default; without it the log. */
  readonly audit?: string | undefined;
  /** How dangerous-confirmation asks; without it nobody is asked and no file is opened. */
  readonly ask?: NonNullable<DangerousConfirmationOptions['askBy']>;
  /** Where calls wait for those who are asked by "inbox". */
  readonly inbox?: Inbox;
  readonly log?: HookHost['log'];
  /** Where the tools work, and so the scripts that judge their calls. */
  readonly workspace?: HookHost['workspace'];
  /** Where hooks keep what outlives a run. */
  readonly stateFolder?: string | undefined;
  /** The model of the run, that hooks may ask too as `default`. */
  readonly model?: Model;
  readonly pipeline?: PipelineOptions;
  /** Where the hooks are to guard: the log tells what can have no effect there. The tools that hooks bring are added. */
  readonly guarded?: (config: CompiledConfig) => GuardedHost;
}

/** The hooks of configuration files and modules, over those that are always on; with the preset none there are no such. */
export async function configuredHooks(
  { config, preset, hooks, allowWeaker = false }: HookFlags,
  parts: HookParts,
): Promise<LiveHooks> {
  const { floor = {} } = floorHooks(preset, { audit: parts.audit, suspends: parts.ask === undefined });
  const loaded = await loadHooks(hooks);
  const twice = loaded.find(({ name }) => Object.hasOwn(floor, name))?.name;
  if (twice !== undefined)
    throw new HooklineError(
      'INPUT_INVALID',
      `--hooks: two hooks are named "${twice}", and one of them is always on. Rename yours.`,
    );
  return createLiveHooks({
    files: configFiles({ preset, config }),
    allowWeaker,
    floor,
    hooks: loaded,
    host: {
      log: parts.log,
      workspace: parts.workspace,
      models: parts.model && { default: parts.model },
      redact: (text) => usualRedactor().redact(text).text,
      ...(parts.stateFolder === undefined
        ? lookOnly
        : { stateFolder: parts.stateFolder, store: fileStateStore(join(parts.stateFolder, 'store')) }),
      ask: parts.ask ?? 'suspend',
      inbox: parts.inbox,
      ...(parts.ask !== undefined && { options: { 'dangerous-confirmation': { askBy: parts.ask } } }),
    },
    notices: (files, made) => (parts.guarded ? idleGuards(files.hooks, withToolsOf(made, parts.guarded(files))) : []),
    ...(parts.pipeline && { pipeline: parts.pipeline }),
  });
}

/** The host with the tools that hooks bring. */
export function withToolsOf(hooks: readonly Hook[], host: GuardedHost): GuardedHost {
  return host.tools ? { ...host, tools: [...host.tools, ...hooks.flatMap(({ tools = [] }) => tools)] } : host;
}

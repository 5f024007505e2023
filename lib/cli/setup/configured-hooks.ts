import { join } from 'node:path';
import {
  type CompiledConfig,
  createLiveHooks,
  type HookHost,
  type LiveHooks,
  type NativeConfig,
} from '../../config/index.ts';
import type { GuardedHost } from '../../config/reach/host-parts.ts';
import { idleGuards } from '../../config/reach/idle-guards.ts';
import { HooklineError } from '../../errors.ts';
import { type DangerousConfirmationOptions, fileStateStore, type Inbox, type StateStore } from '../../hooks/index.ts';
import { usualRedactor } from '../../hooks/usual-redactor.ts';
import type { Hook } from '../../pipeline/define/hook.ts';
import type { Model } from '../../pipeline/define/model.ts';
import type { PipelineOptions } from '../../pipeline/settings.ts';
import { floorHooks } from '../presets/floor.ts';
import { configFiles, type Preset } from '../presets/preset.ts';
import { loadHooks } from './load-hooks.ts';
import { lookOnly } from './look-only.ts';

export interface HookFlags {
  /** Configuration files. */
  readonly config: readonly string[];
  readonly preset?: Preset;
  /** Modules, or names of built-in hooks. */
  readonly hooks: readonly string[];
  /** Allows later files to weaken hooks of earlier ones. */
  readonly allowWeaker?: boolean;
}

export interface HookParts {
  /** File of the audit log that is on by default. Without it, entries go to the log. */
  readonly audit?: string | undefined;
  /** How dangerous-confirmation asks. Without it, there are no prompts and no file is opened. */
  readonly ask?: NonNullable<DangerousConfirmationOptions['askBy']>;
  /** Pending calls of approvers with "inbox". */
  readonly inbox?: Pick<Inbox, 'ask'> | undefined;
  readonly log?: HookHost['log'];
  /** Working directory of tools, and of scripts that decide their calls. */
  readonly workspace?: HookHost['workspace'];
  /** Folders of the project that the workspace belongs to. */
  readonly project?: HookHost['project'];
  /** Folder for hook data that outlives a run. */
  readonly stateFolder?: string | undefined;
  /** Stores state of hooks that servers share (default: in `stateFolder`). */
  readonly stateStore?: StateStore | undefined;
  /** Model of the run. Hooks can use it as `default`. */
  readonly model?: Model;
  readonly pipeline?: PipelineOptions;
  /** Further hooks that are always on, with every preset. */
  readonly floor?: NonNullable<NativeConfig['hooks']>;
  /** Host of the hooks. Hooks that can have no effect there are logged. The tools of hooks are added. */
  readonly guarded?: (config: CompiledConfig) => GuardedHost;
}

/** Loads the hooks of configuration files and modules, over the hooks that are always on. The preset none has no such hooks. */
export async function configuredHooks(
  { config, preset, hooks, allowWeaker = false }: HookFlags,
  parts: HookParts,
): Promise<LiveHooks> {
  const usual = floorHooks(preset, { audit: parts.audit, suspends: parts.ask === undefined });
  const floor = { ...usual.floor, ...parts.floor };
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
      project: parts.project,
      models: parts.model && { default: parts.model },
      redact: (text) => usualRedactor().redact(text).text,
      ...(parts.stateFolder === undefined
        ? lookOnly
        : {
            stateFolder: parts.stateFolder,
            store: parts.stateStore ?? fileStateStore(join(parts.stateFolder, 'store')),
          }),
      ask: parts.ask ?? 'suspend',
      inbox: parts.inbox,
      ...(parts.ask !== undefined && { options: { 'dangerous-confirmation': { askBy: parts.ask } } }),
    },
    notices: (files, made) => (parts.guarded ? idleGuards(files.hooks, withToolsOf(made, parts.guarded(files))) : []),
    ...(parts.pipeline && { pipeline: parts.pipeline }),
  });
}

/** Adds the tools of hooks to the host. */
export function withToolsOf(hooks: readonly Hook[], host: GuardedHost): GuardedHost {
  return host.tools ? { ...host, tools: [...host.tools, ...hooks.flatMap(({ tools = [] }) => tools)] } : host;
}

import type { HookLease } from '../../config/live/generation.ts';
import type { Pipeline } from '../../pipeline/create-pipeline.ts';
import type { Hook } from '../../pipeline/define/hook.ts';
import type { Preset } from '../presets/preset.ts';
import { configuredHooks } from '../setup/configured-hooks.ts';

/** Which hooks replay recordings. */
export interface ReplayHookFlags {
  readonly config: readonly string[];
  readonly preset?: Preset;
  /** Runs modules, and starts programs. */
  readonly withModules?: boolean;
}

export interface ReplayHooks {
  readonly pipeline: Pipeline;
  isOutward(hook: Hook): boolean;
  close(): Promise<void>;
}

/** Loads the hooks of configuration files. Hooks of modules and programs do not run, unless they are asked for. */
export async function replayHooks({ config, preset, withModules = false }: ReplayHookFlags): Promise<ReplayHooks> {
  const live = await configuredHooks({ config, hooks: [], ...(preset && { preset }) }, {});
  const lease = await live.lease();
  return {
    pipeline: lease.pipeline,
    isOutward: withModules ? () => false : isOutwardIn(lease),
    async close() {
      lease.release();
      await live.close();
    },
  };
}

/** Built-in kinds that run code of which nothing is known. */
const OUTWARD = ['process', 'command', 'module'];

/** Returns which hooks of a configuration run such code. What they answered then stands in a replay. */
export function isOutwardIn({ config }: HookLease): (hook: Hook) => boolean {
  const hooks = config.hooks.filter(({ kind }) => OUTWARD.includes(kind.name) || kind.origin !== 'builtin');
  const names = new Set(hooks.map(({ name }) => name));
  return ({ name }) => names.has(name);
}

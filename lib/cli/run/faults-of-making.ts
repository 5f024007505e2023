import { type ConfigFault, faultsOf } from '../../config/faults/fault.ts';
import { configError } from '../../config/index.ts';
import { createHookPool } from '../../config/live/hook-pool.ts';
import { type LoadedConfig, loadConfig } from '../../config/load-config.ts';
import { reservedNameFaults } from '../../config/merge/reserved-names.ts';
import { HooklineError } from '../../errors.ts';
import { createPipeline } from '../../pipeline/create-pipeline.ts';
import type { Hook } from '../../pipeline/define/hook.ts';
import { configFiles, type Preset } from '../presets/preset.ts';
import { lookOnly } from '../setup/look-only.ts';
import { defaultHooks } from './default-hooks.ts';

/** What the command line says of configurations. */
interface ConfigFlags {
  readonly config: readonly string[];
  readonly preset?: Preset;
  readonly allowWeaker?: boolean;
}

/** What came of making hooks. */
interface Tried {
  readonly faults: readonly ConfigFault[];
  readonly hooks: readonly Hook[];
}

/** The configurations as a run would load them, modules and all. One with faults is `CONFIG_INVALID`. */
export async function soundConfig({ config, preset, allowWeaker = false }: ConfigFlags): Promise<LoadedConfig> {
  const loaded = loadConfig(configFiles({ preset, config }), { allowWeaker });
  const faults = loaded.faults.length > 0 ? loaded.faults : (await tryMaking(loaded, preset)).faults;
  if (faults.length > 0) throw configError(faults);
  return loaded;
}

/** Makes hooks and ends them again, modules loaded and files only looked at: what is wrong with them then, and the hooks. */
export async function tryMaking({ config }: LoadedConfig, preset?: Preset): Promise<Tried> {
  const pool = createHookPool(lookOnly);
  const faults: ConfigFault[] = [...reservedNameFaults(config.hooks, defaultHooks(config, preset))];
  if (faults.length > 0) return { faults, hooks: [] };
  const { hooks, release } = await pool.acquire(config.hooks, faults);
  try {
    if (faults.length === 0) createPipeline(hooks);
    return { faults, hooks };
  } catch (thrown) {
    const first = config.hooks[0];
    if (!(thrown instanceof HooklineError) || !first) throw faultsOf(thrown) ?? thrown;
    return { faults: [first.fault([], thrown.message)], hooks };
  } finally {
    release();
    await pool.settled();
  }
}
